import { coalesce, createEndpointRouter } from 'express-endpoint-listing';
import express from 'express';
import { createServer, type RequestListener, type ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { dialogueOf, faultOf, requestText } from './dialogue.js';
import { clusterHeaders, endpointsOf } from './lists.js';
import { MemorySocket } from './memory-socket.js';
import type { Waiting } from './figures.js';

const CONNECTIONS = 1000;
const PROVIDER_MS = 50;

const list = endpointsOf(3);
const dialogue = dialogueOf({ ask: 'cluster', size: list.length });
let calls = 0;

async function slowProvider(): Promise<string[]> {
  calls += 1;
  await sleep(PROVIDER_MS);
  return list;
}

/** The least that waiting costs: one call for all, and nothing kept of a request but its response. */
function answerTogether<T>(answer: (res: T) => void): (req: unknown, res: T) => void {
  const waiting: T[] = [];
  return (_req, res) => {
    waiting.push(res);
    if (waiting.length > 1) return;
    void slowProvider().then(() => {
      waiting.splice(0).forEach(answer);
    });
  };
}

const HOSTS: Readonly<Record<string, () => RequestListener>> = {
  router: () => express().use(createEndpointRouter({ endpoints: coalesce(slowProvider), role: 'coordinator' })),
  express: () =>
    express().get(
      dialogue.path,
      answerTogether((res: express.Response) => {
        res.type('json').send(dialogue.body);
      }),
    ),
  'node:http': () =>
    answerTogether((res: ServerResponse) => {
      res.writeHead(200, clusterHeaders(Buffer.from(dialogue.body)).flat()).end(dialogue.body);
    }),
};

/** Bytes in use, after a full garbage collection (`--expose-gc`). */
function bytesInUse(): number {
  globalThis.gc?.();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

const listener = HOSTS[process.argv[2] ?? '']?.();
const server = createServer(listener);
const request = Buffer.from(requestText(dialogue));
const connect = (): MemorySocket[] => Array.from({ length: CONNECTIONS }, () => new MemorySocket(server));

async function askOn(sockets: readonly MemorySocket[]): Promise<number> {
  for (const socket of sockets) socket.ask(request);
  await Promise.resolve();
  const bytes = bytesInUse();
  while (sockets.some((socket) => socket.answer() === '')) await sleep(PROVIDER_MS);
  return bytes;
}

// Once, to make what is made once; these connections stay, so that all that is counted belongs to the others.
const others = connect();
await askOn(others);
calls = 0;
const before = bytesInUse();
const sockets = connect();
// Some of what a connection has is made with its first request.
await askOn(sockets);
const idle = bytesInUse();
const waiting = await askOn(sockets);
const faults = [...others, ...sockets].flatMap((socket) => faultOf(socket.answer(), dialogue) ?? []);
process.send?.({
  calls: calls / 2,
  bytesPerRequest: (waiting - idle) / CONNECTIONS,
  bytesPerIdle: (idle - before) / CONNECTIONS,
  faults: faults.slice(0, 1),
} satisfies Waiting);
process.disconnect();
