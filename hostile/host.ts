import express, { type ErrorRequestHandler, type RequestHandler } from 'express';
import { coalesce, createEndpointRouter } from 'express-endpoint-listing';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Figures, Greeting, Question } from './figures.js';
import { createHungProvider, createPlannedProvider, type Calls } from './host-provider.js';

/** The host application under fire, in a process of its own: `node --expose-gc host.js <timeout of the provider in ms>`. */
const timeoutMs = Number(process.argv[2]);
const calls: Calls = { asked: 0, askedForeign: 0, running: 0, mostRunning: 0, aborted: {}, overdue: [] };
const left = { listeners: 0 };

/** The router must take back what it put on a response. */
const countListeners: RequestHandler = (_req, res, next) => {
  const before = res.listenerCount('close');
  res.once('close', () => {
    setImmediate(() => (left.listeners += res.listenerCount('close') - before));
  });
  next();
};

/** Answers without a word about the request, so that the attackers know every answer by heart. */
const notOurs: RequestHandler = (_req, res) => {
  res.writeHead(404, { 'Content-Length': 9 }).end('not ours\n');
};
const hostError: ErrorRequestHandler = (error: { status?: number }, _req, res, next) => {
  if (res.headersSent) next(error);
  else res.writeHead(error.status ?? 500, { 'Content-Length': 11 }).end('host error\n');
};

const common = { role: 'coordinator', timeoutMs, onError: () => undefined } as const;
const planned = createEndpointRouter({ ...common, endpoints: createPlannedProvider(calls, timeoutMs) });
const shared = createEndpointRouter({ ...common, endpoints: coalesce(createHungProvider(calls)) });

const app = express();
app.disable('x-powered-by');
app.get('/alive', (_req, res) => {
  res.writeHead(200, { 'Content-Length': 6 }).end('alive\n');
});
app.use(countListeners);
app.use('/shared', shared);
app.use('/tenant/_db/:database', planned);
app.use('/v1', planned);
app.use(planned);
app.use(notOurs);
app.use(hostError);

const server = createServer(app).listen(0, '127.0.0.1');
await once(server, 'listening');

const turns = monitorEventLoopDelay({ resolution: 5 });
turns.enable();
process.on('message', (question: Question) => {
  if (question === 'figures') process.send?.(figures());
  else void heap().then((bytes) => process.send?.(bytes));
});
process.once('disconnect', () => process.exit());

const expressMajor = 'query' in express ? 4 : 5;
process.send?.({ port: (server.address() as AddressInfo).port, expressMajor } satisfies Greeting);

function figures(): Figures {
  const longestTurnMs = turns.max / 1e6;
  turns.reset();
  const resources: Record<string, number> = {};
  for (const kind of process.getActiveResourcesInfo()) resources[kind] = (resources[kind] ?? 0) + 1;
  const { overdue } = calls;
  calls.overdue = [];
  return { ...calls, overdue, resources, listenersLeft: left.listeners, longestTurnMs };
}

async function heap(): Promise<number> {
  // What a finalizer frees is collected in the next run.
  for (let run = 0; run < 3; run += 1) {
    globalThis.gc?.();
    await nextTurn();
  }
  return process.memoryUsage().heapUsed;
}
