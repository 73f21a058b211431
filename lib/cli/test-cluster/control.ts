import type { RequestListener } from 'node:http';
import express, { Router, type Request, type Response, type NextFunction } from 'express';
import createHttpError, { isHttpError } from 'http-errors';
import type { TestCluster, Trouble } from '../../testing/index.js';
import { isIP } from 'node:net';

/**
 * The control API of a test cluster, as testing.openapi.json describes it: the functions of the cluster, over HTTP. If one throws, the
 * response is a 400 with its message.
 *
 * @param advertisedHost - A name by which clients may reach it.
 */
export function createControl(cluster: TestCluster, advertisedHost: string | undefined): RequestListener {
  const troubles = createTroubles(cluster);
  const routes = Router();
  routes.use(refuseBrowsers(advertisedHost));
  routes.use(express.json({ strict: false, type: () => true, limit: '16mb' }));
  routes.get('/cluster', (_req, res) => {
    const { urls, endpoints, ca, coordinators } = cluster;
    const states = coordinators.map(({ url, endpoint, state }) => ({ url, endpoint, state }));
    res.json({ urls, endpoints, coordinators: states, ...(ca !== undefined && { ca }) });
  });
  routes.get('/requests', (_req, res) => {
    res.json(cluster.requests);
  });
  routes.get('/trouble', (_req, res) => {
    res.json(troubles.all());
  });
  const change = (method: 'put' | 'post', path: string, act: (req: Request) => unknown): void => {
    routes[method](path, (req, res, next) => {
      Promise.resolve(act(req)).then(() => {
        res.status(204).end();
      }, next);
    });
  };
  change('put', '/trouble', ({ body }) => troubles.replace((Array.isArray(body) ? body : [body]) as Trouble[]));
  change('put', '/list', ({ body }) => cluster.setList(body as string[]));
  change('put', '/role', ({ body }) => cluster.setRole(body as 'single'));
  change('put', '/coordinators/:index/:action', (req) => actOnCoordinator(cluster, req));
  change('post', '/reset', () => {
    troubles.forget();
    return cluster.reset();
  });

  const app = express().disable('x-powered-by').disable('etag').use(routes);
  return (req, res) => {
    // No handler of the application: Express brings a target without a path, as `http://`, to none of them.
    app(req as Request, res as Response, (error: unknown = notFound(req as Request)) => refuse(res as Response, error));
  };
}

/** The troubles that were set over HTTP. */
function createTroubles(cluster: TestCluster) {
  let troubles: { readonly asked: Trouble; readonly active: ReturnType<TestCluster['trouble']> }[] = [];
  const endAll = (ended: typeof troubles): void => {
    for (const { active } of ended) active.end();
  };
  return {
    all: () => troubles.map(({ asked, active }) => ({ trouble: asked, met: active.met })),
    /** One that is refused changes nothing. */
    replace(given: readonly Trouble[]) {
      const added: typeof troubles = [];
      try {
        for (const asked of given) added.push({ asked, active: cluster.trouble(asked) });
      } catch (error) {
        endAll(added);
        throw error;
      }
      endAll(troubles);
      troubles = added;
    },
    forget() {
      troubles = [];
    },
  };
}

function actOnCoordinator({ coordinators }: TestCluster, req: Request): Promise<void> {
  const { index, action } = req.params as { index: string; action: string };
  if (!/^\d+$/.test(index) || !isAction(action)) throw notFound(req);
  const coordinator = coordinators[Number(index)];
  if (coordinator !== undefined) return coordinator[action]();
  throw createHttpError(404, `there is no coordinator ${index}, only 0 to ${String(coordinators.length - 1)}`);
}

function isAction(action: string): action is 'stop' | 'start' | 'freeze' {
  return ['stop', 'start', 'freeze'].includes(action);
}

function notFound({ method, url }: Request): Error {
  return createHttpError(404, `${method} ${url.replace(/\?.*/s, '')} is not part of the control API`);
}

function refuse(res: Response, error: unknown): void {
  const { message, type } = error as Error & { type?: unknown };
  // Another program has taken the port.
  const code = isHttpError(error) ? error.status : error instanceof TypeError ? 400 : 409;
  const errorMessage = type === 'entity.parse.failed' ? `the body is not JSON: ${message}` : message;
  res.status(code).json({ code, error: true, errorMessage, errorNum: code });
}

/**
 * Lets no page in a browser drive the control API, which has no password: neither one whose own name leads here (DNS rebinding), nor one
 * from elsewhere, nor a form.
 *
 * @param advertisedHost - A name by which clients may reach this server, beside `localhost` and every IP address.
 */
function refuseBrowsers(advertisedHost: string | undefined) {
  const names = new Set(['localhost', advertisedHost?.toLowerCase()]);
  return (req: Request, _res: Response, next: NextFunction): void => {
    const { host, origin } = req.headers;
    const name = String(host)
      .toLowerCase()
      .replace(/:\d+$/, '')
      .replace(/^\[(.*)\]$/, '$1');
    if (!names.has(name) && isIP(name) === 0) {
      throw createHttpError(403, 'the Host header must be an IP address, localhost or the advertised host');
    }
    if (origin !== undefined && origin !== `http://${String(host)}`) {
      throw createHttpError(403, 'a request with the Origin header of another server is refused');
    }
    if (hasBody(req) && req.is(['json', '+json']) === false) {
      throw createHttpError(415, 'the body must be JSON, and say so: Content-Type: application/json');
    }
    next();
  };
}

function hasBody({ headers }: Request): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}
