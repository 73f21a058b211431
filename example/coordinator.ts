import express from 'express';
import { createEndpointRouter } from 'express-endpoint-listing';
import { listenOn, type Listening } from 'express-endpoint-listing/listen';

/** All Coordinators of the cluster, this one included, as clients reach them. */
const COORDINATORS = Object.freeze([
  'tcp://c1.db.example:8529',
  'tcp://c2.db.example:8529',
  'tcp://c3.db.example:8529',
]);

/** One Coordinator: it lists all of them on the cluster route, and on the other route what it has really bound. */
export async function startCoordinator(endpoints: readonly string[]): Promise<Listening> {
  let bound: readonly string[] = [];
  const app = express();
  app.use(
    createEndpointRouter({
      role: 'coordinator',
      endpoints: ({ listing }) => (listing === 'cluster' ? COORDINATORS : bound),
    }),
  );
  const listening = await listenOn(app, endpoints);
  bound = listening.endpoints();
  return listening;
}

if (process.argv[1] === import.meta.filename) {
  const listening = await startCoordinator(['tcp://127.0.0.1:8529', 'tcp://127.0.0.1:8531']);
  // Running requests are answered before the process ends.
  for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => void listening.close());
}
