// The host application under fire, in a process of its own: `node --expose-gc host.mjs <timeout of the provider in ms>`. What its
// messages are, figures.ts says.
import express from 'express';
import { createEndpointRouter } from 'express-endpoint-listing';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { createPlannedProvider } from './host-provider.mjs';

const timeoutMs = Number(process.argv[2]);
const calls = { asked: 0, askedForeign: 0, running: 0, aborted: {}, overdue: [] };
const left = { listeners: 0 };

/** The router must take back what it put on a response. */
const countListeners = (_req, res, next) => {
  const before = res.listenerCount('close');
  res.once('close', () => {
    setImmediate(() => (left.listeners += res.listenerCount('close') - before));
  });
  next();
};

/** Answers without a word about the request, so that the attackers know every answer by heart. */
const notOurs = (_req, res) => {
  res.writeHead(404, { 'Content-Length': 9 }).end('not ours\n');
};
const hostError = (error, _req, res, next) => {
  if (res.headersSent) next(error);
  else res.writeHead(error.status ?? 500, { 'Content-Length': 11 }).end('host error\n');
};

const common = { role: 'coordinator', timeoutMs, onError: () => undefined };
const planned = createEndpointRouter({ ...common, endpoints: createPlannedProvider(calls, timeoutMs) });

const app = express();
app.disable('x-powered-by');
app.get('/alive', (_req, res) => {
  res.writeHead(200, { 'Content-Length': 6 }).end('alive\n');
});
app.use(countListeners);
app.use('/tenant/_db/:database', planned);
app.use('/v1', planned);
app.use(planned);
app.use(notOurs);
app.use(hostError);

const server = createServer(app).listen(0, '127.0.0.1');
await once(server, 'listening');

process.on('message', (question) => {
  if (question === 'figures') process.send?.(figures());
  else void heap().then((bytes) => process.send?.(bytes));
});
process.once('disconnect', () => process.exit());

const expressMajor = 'query' in express ? 4 : 5;
process.send?.({ port: server.address().port, expressMajor });

function figures() {
  const resources = {};
  for (const kind of process.getActiveResourcesInfo()) resources[kind] = (resources[kind] ?? 0) + 1;
  const { overdue } = calls;
  calls.overdue = [];
  return { ...calls, overdue, resources, listenersLeft: left.listeners };
}

async function heap() {
  // What a finalizer frees is collected in the next run.
  for (let run = 0; run < 3; run += 1) {
    globalThis.gc?.();
    await nextTurn();
  }
  return process.memoryUsage().heapUsed;
}
