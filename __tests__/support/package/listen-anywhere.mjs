import { Server } from 'node:net';

/** Loaded before code from a README: a port that it names is free for it on no machine, so the system chooses one. */
const { listen } = Server.prototype;

Server.prototype.listen = function listenAnywhere(...args) {
  this.once('listening', () => process.send({ port: this.address().port }));
  const callbacks = args.filter((arg) => typeof arg === 'function');
  return listen.call(this, { port: 0, host: '127.0.0.1' }, ...callbacks);
};
