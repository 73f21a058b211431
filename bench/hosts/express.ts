import type express from 'express';
import type { createEndpointRouter } from 'express-endpoint-listing';
import type { createAppServer } from 'express-endpoint-listing/listen';
import { createServer, type Server } from 'node:http';
import { createRequire } from 'node:module';
import { clusterBody, clusterHeaders, endpointsOf, providerOf } from '../lists.js';
import type { Variant } from '../variant.js';

type Express = typeof express;
interface Listing {
  readonly createEndpointRouter: typeof createEndpointRouter;
}
interface Listen {
  readonly createAppServer: typeof createAppServer;
}

/**
 * As a file of the package would: the bench is a package of its own. The router takes the `express` that it finds: for major 4,
 * Express 4 has to stand in its place before the router is loaded.
 */
const require = createRequire(new URL('../../../package.json', import.meta.url));

/** An Express host that answers as the variant says, on a server of the kind that it says. */
export function createExpressHost(variant: Variant): Server {
  const express = loadExpress(variant.express);
  const app = express();
  app.set('x-powered-by', variant.poweredBy);
  mount(app, variant);
  if (variant.server === 'app.listen') return createServer(app);
  return (require('express-endpoint-listing/listen') as Listen).createAppServer(app);
}

function loadExpress(major: Variant['express']): Express {
  if (major === 4) {
    require('express4');
    require.cache[require.resolve('express')] = require.cache[require.resolve('express4')];
  }
  return require('express') as Express;
}

function mount(app: ReturnType<Express>, { handler, size, ask }: Variant): void {
  const list = endpointsOf(size);
  if (handler === 'naive') {
    app.get('/_api/cluster/endpoints', (_req, res) => {
      res.json(clusterBody(list));
    });
  } else if (handler === 'constant') {
    const body = Buffer.from(JSON.stringify(clusterBody(list)));
    const headers = clusterHeaders(body);
    app.get('/_api/cluster/endpoints', (_req, res) => {
      for (const [name, value] of headers) res.setHeader(name, value);
      res.end(body);
    });
  } else {
    const { createEndpointRouter } = require('express-endpoint-listing') as Listing;
    const endpoints = providerOf(handler, list);
    app.use(createEndpointRouter({ endpoints, role: ask === '501' ? 'single' : 'coordinator' }));
  }
}
