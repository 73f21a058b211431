import type { Socket } from 'node:net';
import type { Exchange } from './exchange.js';

/** Calls `leave` once the client has gone; returns what ends the watch. */
export type WatchDeparture = (exchange: Exchange, leave: () => void) => () => void;

/**
 * Creates the watch over clients that may leave before their answer.
 *
 * A response tells it by its `close` event. But a pipelined response waits for its turn without a socket, and hears nothing
 * of its connection's end: so the connection is watched instead, by one listener however many requests wait on it.
 */
export function createDepartureWatch(): WatchDeparture {
  const queues = new WeakMap<Socket, Set<() => void>>();

  function queueOn(connection: Socket): Set<() => void> {
    const known = queues.get(connection);
    if (known !== undefined) return known;
    const queue = new Set<() => void>();
    queues.set(connection, queue);
    connection.once('close', () => {
      for (const leave of queue) leave();
    });
    return queue;
  }

  return function watchDeparture({ req, res }, leave) {
    const queue = res.socket === null ? queueOn(req.socket) : undefined;
    queue?.add(leave);
    res.on('close', leave);
    return () => {
      queue?.delete(leave);
      res.off('close', leave);
    };
  };
}

/** Whether the client has gone already. */
export function hasLeft({ req, res }: Exchange): boolean {
  return res.destroyed || req.socket.destroyed;
}
