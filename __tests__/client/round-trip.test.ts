import express from 'express';
import { fetchEndpoints } from '../../lib/client/index.js';
import { createEndpointRouter, type EndpointProvider } from '../../lib/index.js';
import { answerWith, type AnsweringServer } from '../support/router/answering-server.js';

let server: AnsweringServer | undefined;

afterEach(async () => {
  await server?.close();
  server = undefined;
});

/** The URL of a host application that mounts the router of a coordinator below a path. */
async function host(provider: EndpointProvider, mountPath = '/'): Promise<string> {
  const app = express().use(mountPath, createEndpointRouter({ endpoints: provider, role: 'coordinator' }));
  server = await answerWith(app);
  return `http://${server.address}${mountPath}`;
}

describe('what is read from the router is what the provider gave', () => {
  it.each([
    ['cluster', ['tcp://10.0.0.2:8529', 'ssl://db.example:443', 'tcp://[2001:db8::1]:8530', 'tcp://localhost:1']],
    ['server', ['http://127.0.0.1:8529', 'https://[::]:8530', 'unix:///var/run/a.sock']],
  ] as const)('for the listing %s', async (listing, given) => {
    const url = await host(() => given);
    await expect(fetchEndpoints(url, { listing })).resolves.toEqual(given);
    await expect(fetchEndpoints(url, { listing, database: '_system' })).resolves.toEqual(given);
  });

  it('below a mount path, from an endpoint that was itself read, and when it is empty', async () => {
    await expect(fetchEndpoints(await host(() => [], '/a/b'))).resolves.toEqual([]);
    await server?.close();
    const url = await host(() => [`tcp://${server?.address ?? ''}`]);
    const [self = ''] = await fetchEndpoints(url);
    await expect(fetchEndpoints(self)).resolves.toEqual([self]);
  });
});

it.each([
  [{ database: 'other' }, 403],
  [{ database: 'd\u00e4/b', listing: 'server' }, 400],
] as const)('what the router refuses has its numbers: %j', async (options, code) => {
  const url = await host(() => ['tcp://a:1']);
  const refused = { name: 'ListingError', kind: 'refused', code, errorNum: 1230 };
  await expect(fetchEndpoints(url, options)).rejects.toMatchObject(refused);
});
