import express from 'express';
import supertest from 'supertest';
import { routeLabel } from '../../example/route-label.js';
import { createEndpointRouter } from '../../lib/index.js';
import { serve } from '../support/router/host.js';

it.each([
  ['/_api/cluster/endpoints', '/_api/cluster/endpoints', 501],
  ['/_api/endpoint/?query', '/_api/endpoint', 200],
  ['/_db/other/_api/endpoint', '/_api/endpoint', 400],
  ['/mounted/_db/_system/_api/endpoint', '/_api/endpoint', 200],
  ['/elsewhere/7', '/elsewhere/:id', 204],
  ['/no/such/path?/_api/endpoint', 'other', 404],
])(
  'The label that docs/http-contract.md gives a route for the metrics of a host: %s is %s',
  async (path, label, status) => {
    const labels: string[] = [];
    const router = createEndpointRouter({ endpoints: ['tcp://a:1'] });
    const app = express();
    app.use((req, res, next) => {
      res.on('finish', () => labels.push(routeLabel(req)));
      next();
    });
    app.use(router);
    app.use('/mounted', router);
    app.get('/elsewhere/:id', (_req, res) => void res.sendStatus(204));
    await supertest(serve(app)).get(path).expect(status);
    expect(labels).toEqual([label]);
  },
);
