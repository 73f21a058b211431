import express, { Router, type Express, type Request, type Response } from 'express';
import { isHttpError } from 'http-errors';
import type { TestCluster, Trouble } from '../../testing/index.js';

type Active = ReturnType<TestCluster['trouble']>;

/**
 * The control API of a cluster for tests, as testing.openapi.json describes it: what the functions of the cluster do, over HTTP.
 * What they refuse is a 400 with their message.
 */
export function createControl(cluster: TestCluster): Express {
  let troubles: { readonly asked: Trouble; readonly active: Active }[] = [];
  const endAll = (ended: typeof troubles): void => {
    for (const { active } of ended) active.end();
  };
  const routes = Router();
  routes.use(express.json({ strict: false, type: () => true, limit: '16mb' }));

  routes.get('/cluster', (_req, res) => {
    const { urls, endpoints, ca, coordinators } = cluster;
    res.json({
      urls,
      endpoints,
      coordinators: coordinators.map(({ url, endpoint, state }) => ({ url, endpoint, state })),
      ...(ca !== undefined && { ca }),
    });
  });
  routes.get('/requests', (_req, res) => {
    res.json(cluster.requests);
  });
  routes.get('/trouble', (_req, res) => {
    res.json(troubles.map(({ asked, active }) => ({ trouble: asked, met: active.met })));
  });
  routes.put('/trouble', (req, res) => {
    const body: unknown = req.body;
    const added: typeof troubles = [];
    try {
      for (const asked of (Array.isArray(body) ? body : [body]) as Trouble[]) {
        added.push({ asked, active: cluster.trouble(asked) });
      }
    } catch (error) {
      endAll(added);
      throw error;
    }
    endAll(troubles);
    troubles = added;
    res.status(204).end();
  });
  routes.put('/list', (req, res) => {
    cluster.setList(req.body as string[]);
    res.status(204).end();
  });
  routes.put('/role', (req, res) => {
    cluster.setRole(req.body as 'single');
    res.status(204).end();
  });
  routes.put('/coordinators/:index/:action', (req: Request<{ index: string; action: string }>, res, next) => {
    const { index, action } = req.params;
    const coordinator = /^\d{1,3}$/.test(index) ? cluster.coordinators[Number(index)] : undefined;
    if (coordinator === undefined || !isAction(action)) {
      next();
      return;
    }
    coordinator[action]().then(() => {
      res.status(204).end();
    }, next);
  });
  routes.post('/reset', (_req, res, next) => {
    troubles = [];
    cluster.reset().then(() => {
      res.status(204).end();
    }, next);
  });
  const app = express().disable('x-powered-by').disable('etag');
  app.use((req, res) => {
    routes(req, res, (error?: unknown) => {
      if (error === undefined) refuseControl(res, 404, `${req.method} ${req.path} is not part of the control API`);
      else if (isHttpError(error)) refuseControl(res, error.status, error.message);
      // A port that something else has taken meanwhile.
      else refuseControl(res, error instanceof TypeError ? 400 : 409, (error as Error).message);
    });
  });
  return app;
}

function isAction(action: string): action is 'stop' | 'start' | 'freeze' {
  return ['stop', 'start', 'freeze'].includes(action);
}

function refuseControl(res: Response, code: number, errorMessage: string): void {
  res.status(code).json({ code, error: true, errorMessage, errorNum: code });
}
