import express, { type Express } from 'express';
import { createEndpointRouter, type ServerRole } from 'express-endpoint-listing';
import createError from 'http-errors';
import { setTimeout as sleep } from 'node:timers/promises';

/** How the double behaves from now on; `PUT /control` changes what it names. */
interface Control {
  endpoints: string[];
  role: ServerRole;
  /** What the next listings meet: nothing, an outage, a bug, or silence. */
  trouble: 'none' | 'outage' | 'bug' | 'silence';
  /** Milliseconds until a listing is there. */
  delay: number;
}

/** A cluster that a driver's tests hold in their hands: the list grows and shrinks, and everything can go wrong on demand. */
export function createTestDouble(): Express {
  const control: Control = { endpoints: ['tcp://127.0.0.1:8529'], role: 'coordinator', trouble: 'none', delay: 0 };

  const app = express();
  app.put('/control', express.json(), (req, res) => {
    Object.assign(control, req.body);
    res.json(control);
  });
  app.use(
    createEndpointRouter({
      role: () => control.role,
      timeout: 500,
      endpoints: async ({ signal }) => {
        if (control.trouble === 'outage')
          throw createError(503, 'the agency has no leader', { errorNum: 1478, expose: true });
        if (control.trouble === 'bug') throw new Error('nobody sees this text');
        await sleep(control.trouble === 'silence' ? 3_600_000 : control.delay, undefined, { signal });
        return control.endpoints;
      },
      onError: (error) => {
        console.error(`${error.name}: ${error.message}`);
      },
    }),
  );
  return app;
}

if (process.argv[1] === import.meta.filename) createTestDouble().listen(8529, '127.0.0.1');
