import express from 'express';
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

/** An application that listens, and lists what it listens on. */
async function listingItself(role: ServerRole, asked: readonly string[]): Promise<readonly string[]> {
  let provider: EndpointProvider = () => [];
  const router = createEndpointRouter({ role, endpoints: (query) => provider(query), onError: () => undefined });
  const { endpoints } = await listen(express().use(router), asked, { ssl: certificate });
  provider = endpoints;
  return endpoints();
}

describe(`The listing of a server that listens with listenOn is what is bound${WITHOUT_IPV6}`, () => {
  it('on the single route, with the schemes of that route, whichever endpoint is asked', async () => {
    const asked = [...TCP, 'ssl://localhost:0', `unix://${scratch('s')}`];
    const bound = await listingItself('single', asked);
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
    const bound = await listingItself('coordinator', [...TCP, `unix://${scratch('s')}`]);

    const { body } = await ask(bound[0] ?? '', { path: '/_api/cluster/endpoints' });
    expect(JSON.parse(body)).toEqual({
      error: false,
      code: 200,
      endpoints: bound.slice(0, -1).map((endpoint) => ({ endpoint })),
    });
  });
});
