import express, { type Express } from 'express';
import { createEndpointRouter } from 'express-endpoint-listing';
import { createTranslatedDirectory } from 'express-endpoint-listing/directory';
import { createHealthDirectory } from 'express-endpoint-listing/health';
import { createUpstreamDirectory } from 'express-endpoint-listing/upstream';
import { createProxyMiddleware } from 'http-proxy-middleware';

/** The Coordinators behind the gateway, as it reaches them, and the address that clients get for each. */
export type Rules = Readonly<Record<string, string>>;

/**
 * A gateway in front of a cluster that is there, which it asks for its list with the `Authorization` that it is given. The listing is ours: the cluster's own, without the dead, with addresses that
 * clients reach. Everything else goes to a Coordinator that is alive, which also decides who may do what.
 */
export async function createGateway(rules: Rules, authorization?: string): Promise<Express> {
  const cluster = await createUpstreamDirectory({
    servers: Object.keys(rules),
    headers: authorization === undefined ? {} : { authorization },
  });
  const healthy = await createHealthDirectory({ endpoints: cluster });
  const forClients = createTranslatedDirectory({ endpoints: healthy, rules });
  let turn = 0;
  /** The living Coordinators, each time beginning with another one. */
  const coordinators = (): string[] => {
    const urls = healthy.provider().map((endpoint) => endpoint.replace('tcp:', 'http:').replace('ssl:', 'https:'));
    turn = (turn + 1) % urls.length;
    return [...urls.slice(turn), ...urls.slice(0, turn)];
  };
  /** What the cluster says to a user. One that has just died may be on the list for some seconds: then the next one is asked. */
  async function versionFor(authorization: string | undefined): Promise<Response> {
    const headers = authorization === undefined ? {} : { authorization };
    let failure: unknown;
    for (const coordinator of coordinators()) {
      try {
        return await fetch(`${coordinator}/_api/version`, { headers, signal: AbortSignal.timeout(2000) });
      } catch (error) {
        failure = error;
      }
    }
    throw failure;
  }

  const app = express();
  // Who may not ask the cluster may not see its members either: its 401 and 403 reach the client as they are.
  app.use(/^(?:\/_db\/[^/]+)?\/_api\/(?:cluster\/endpoints|endpoint)\/?$/, async (req, res, next) => {
    const version = await versionFor(req.headers.authorization);
    if (version.status !== 401 && version.status !== 403) {
      next();
      return;
    }
    const challenge = version.headers.get('www-authenticate');
    if (challenge !== null) res.set('WWW-Authenticate', challenge);
    res
      .status(version.status)
      .type('json')
      .send(await version.text());
  });
  app.use(createEndpointRouter({ role: 'coordinator', endpoints: forClients.provider }));
  app.use(createProxyMiddleware({ router: () => coordinators()[0], xfwd: true }));
  return app;
}

if (process.argv[1] === import.meta.filename) {
  const pairs = process.argv.slice(2).map((pair) => pair.split('='));
  if (pairs.length === 0 || pairs.some((pair) => pair.length !== 2)) {
    console.error(
      'usage: gateway <coordinator>=<its address for clients> ..., as tcp://10.0.0.11:8529=ssl://db1.example:443',
    );
    process.exitCode = 1;
  } else {
    const app = await createGateway(
      Object.fromEntries(pairs) as Rules,
      process.env['ENDPOINT_LISTING_UPSTREAM_AUTHORIZATION'],
    );
    app.listen(8529, '127.0.0.1');
  }
}
