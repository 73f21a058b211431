import { Database } from 'arangojs';
import { Database as Database8 } from 'arangojs8';
import express, { type Express } from 'express';
import { networkInterfaces } from 'node:os';
import { createEndpointRouter, type EndpointProvider, type ServerRole } from '../../lib/index.js';
import { ask } from '../support/router/ask.js';
import { makeCertificate } from '../support/certificate.js';
import { useListenOn } from '../support/process/listen-until-done.js';
import { useScratchFolder } from '../support/process/scratch-folder.js';

const listen = useListenOn();
const scratch = useScratchFolder();

const hasIPv6Loopback = Object.values(networkInterfaces()).some((all) => all?.some(({ address }) => address === '::1'));
const TCP = ['tcp://127.0.0.1:0', 'tcp://localhost:0', ...(hasIPv6Loopback ? ['tcp://[::1]:0'] : [])];
const WITHOUT_IPV6 = hasIPv6Loopback ? '' : ' (WITHOUT [::1], WHICH THIS MACHINE DOES NOT HAVE)';

let certificate: { readonly key: string; readonly cert: string };

beforeAll(async () => {
  certificate = await makeCertificate();
});

/** An application that lists what `provider` says, and counts at which port its other requests come in. */
function countingApp(role: ServerRole, provider: EndpointProvider): { app: Express; served: Map<number, number> } {
  const served = new Map<number, number>();
  const app = express();
  app.use(createEndpointRouter({ role, endpoints: provider, onError: () => undefined }));
  app.get('/_db/_system/_api/version', (req, res) => {
    const { localPort = 0 } = req.socket;
    served.set(localPort, (served.get(localPort) ?? 0) + 1);
    res.json({ server: 'arango', version: '3.11.0', license: 'community' });
  });
  return { app, served };
}

/** An application that listens, and lists what it listens on. */
async function listingItself(role: ServerRole, asked: readonly string[]) {
  let provider: EndpointProvider = () => [];
  const { app, served } = countingApp(role, (query) => provider(query));
  const { endpoints } = await listen(app, asked, { ssl: certificate });
  provider = endpoints;
  return { bound: endpoints(), served };
}

const portOf = (endpoint: string): number => Number(endpoint.split(':').at(-1));

describe(`The listing of a server that listens with listenOn is what is bound${WITHOUT_IPV6}`, () => {
  it('on the single route, with the schemes of that route, whichever endpoint is asked', async () => {
    const asked = [...TCP, 'ssl://localhost:0', `unix://${scratch('s')}`];
    const { bound } = await listingItself('single', asked);
    const shown = bound.map((endpoint) => ({
      endpoint: endpoint.replace(/^tcp:/, 'http:').replace(/^ssl:/, 'https:'),
    }));

    expect(bound).toHaveLength(asked.length);
    for (const endpoint of bound) {
      const { status, body } = await ask(endpoint, { path: '/_api/endpoint', ca: certificate.cert });
      expect([status, JSON.parse(body)]).toEqual([200, shown]);
    }
  });

  it('on the cluster route, without the socket file that nobody else could reach', async () => {
    const { bound } = await listingItself('coordinator', [...TCP, `unix://${scratch('s')}`]);

    const { body } = await ask(bound[0] ?? '', { path: '/_api/cluster/endpoints' });
    expect(JSON.parse(body)).toEqual({
      error: false,
      code: 200,
      endpoints: bound.slice(0, -1).map((endpoint) => ({ endpoint })),
    });
  });
});

describe(`arangojs connects to the endpoints of the listing${WITHOUT_IPV6}`, () => {
  it.each([
    ['arangojs 10', Database as unknown as typeof Database8],
    ['arangojs 8', Database8],
  ])('%s, over tcp', async (_name, Driver) => {
    const { bound, served } = await listingItself('coordinator', TCP);
    const db = new Driver({
      url: bound[0]?.replace('tcp:', 'http:') ?? '',
      databaseName: '_system',
      loadBalancingStrategy: 'ROUND_ROBIN',
    });

    await db.acquireHostList();
    for (let sent = 0; sent < 2 * bound.length; sent++) expect((await db.version()).version).toBe('3.11.0');
    db.close();

    expect([...served.keys()].sort()).toEqual(bound.map(portOf).sort());
  });

  it('arangojs 8, over ssl', async () => {
    const { bound, served } = await listingItself('coordinator', ['ssl://localhost:0', 'ssl://127.0.0.1:0']);
    const db = new Database8({
      url: bound[0]?.replace('ssl:', 'https:') ?? '',
      databaseName: '_system',
      loadBalancingStrategy: 'ROUND_ROBIN',
      agentOptions: { ca: certificate.cert },
    });

    await db.acquireHostList();
    for (let sent = 0; sent < 4; sent++) expect((await db.version()).version).toBe('3.11.0');
    db.close();

    expect([...served.keys()].sort()).toEqual(bound.map(portOf).sort());
  });
});
