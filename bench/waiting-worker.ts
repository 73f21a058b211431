import { coalesce, createEndpointRouter } from 'express-endpoint-listing';
import express, { type Express } from 'express';
import { createServer } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { dialogueOf, faultOf, requestText } from './dialogue.js';
import { endpointsOf } from './lists.js';
import { MemorySocket } from './memory-socket.js';
import type { Waiting } from './waiting.js';

const REQUESTS = 1000;
const PROVIDER_MS = 50;

const list = endpointsOf(3);
const dialogue = dialogueOf({ ask: 'cluster', size: list.length });
let calls = 0;

async function slowProvider(): Promise<string[]> {
  calls += 1;
  await sleep(PROVIDER_MS);
  return list;
}

function routerHost(): Express {
  return express().use(createEndpointRouter({ endpoints: coalesce(slowProvider), role: 'coordinator' }));
}

/** The least that waiting costs: one call for all, and nothing kept of a request but its response. */
function bareExpressHost(): Express {
  const waiting: express.Response[] = [];
  return express().get(dialogue.path, (_req, res) => {
    waiting.push(res);
    if (waiting.length > 1) return;
    void slowProvider().then(() => {
      for (const one of waiting.splice(0)) one.type('json').send(dialogue.body);
    });
  });
}

/** Bytes in use, after a full garbage collection (`--expose-gc`). */
function bytesInUse(): number {
  globalThis.gc?.();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

const server = createServer(process.argv[2] === 'router' ? routerHost() : bareExpressHost());
const request = Buffer.from(requestText(dialogue));
const sockets = Array.from({ length: REQUESTS }, () => new MemorySocket(server));

async function askOnAll(): Promise<number> {
  for (const socket of sockets) socket.ask(request);
  await Promise.resolve();
  const bytes = bytesInUse();
  while (sockets.some((socket) => socket.answer() === '')) await sleep(PROVIDER_MS);
  return bytes;
}

// Once to make what every connection has from its first request on.
await askOnAll();
calls = 0;
const before = bytesInUse();
const during = await askOnAll();
const faults = sockets.flatMap((socket) => faultOf(socket.answer(), dialogue) ?? []);
process.send?.({ calls, bytesPerRequest: (during - before) / REQUESTS, faults: faults.slice(0, 1) } satisfies Waiting);
process.disconnect();
