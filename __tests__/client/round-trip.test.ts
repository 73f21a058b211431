import express from 'express';
import fc from 'fast-check';
import { fetchEndpoints } from '../../lib/client/index.js';
import { createEndpointRouter, type EndpointProvider } from '../../lib/index.js';
import { answerWith, type AnsweringServer } from '../support/router/answering-server.js';
import { PROPERTY_RUNS } from '../support/runner/long-run.js';

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
  it('for the Coordinators of a cluster', async () => {
    const given = ['tcp://10.0.0.2:8529', 'ssl://db.example:443', 'tcp://[2001:db8::1]:8530', 'tcp://localhost:1'];
    const url = await host(() => given);
    await expect(fetchEndpoints(url)).resolves.toEqual(given);
    await expect(fetchEndpoints(url, { database: '_system' })).resolves.toEqual(given);
  });

  it('for the endpoints of a server', async () => {
    const given = ['http://127.0.0.1:8529', 'https://[::]:8530', 'unix:///var/run/a.sock'];
    const url = await host(() => given);
    await expect(fetchEndpoints(url, { listing: 'server' })).resolves.toEqual(given);
    await expect(fetchEndpoints(url, { listing: 'server', database: '_system' })).resolves.toEqual(given);
  });

  it('below a mount path, from an endpoint that was itself read, and when it is empty', async () => {
    await expect(fetchEndpoints(await host(() => [], '/a/b'))).resolves.toEqual([]);
    await server?.close();
    const url = await host(() => [`tcp://${server?.address ?? ''}`]);
    const [self = ''] = await fetchEndpoints(url);
    await expect(fetchEndpoints(self)).resolves.toEqual([self]);
  });

  it('for every list of canonical endpoints', async () => {
    const name = fc.stringMatching(/^[a-z][a-z0-9]{0,10}$/);
    const endpoint = fc
      .tuple(fc.boolean(), name, fc.integer({ min: 1, max: 65_535 }))
      .map(([isTls, hostName, port]) => ({ isTls, address: `://${hostName}.example:${String(port)}` }));
    let given: readonly string[] = [];
    const url = await host(() => given);
    await fc.assert(
      fc.asyncProperty(fc.uniqueArray(endpoint, { selector: ({ address }) => address }), async (entries) => {
        given = entries.map(({ isTls, address }) => (isTls ? 'ssl' : 'tcp') + address);
        await expect(fetchEndpoints(url)).resolves.toEqual(given);
        const shown = entries.map(({ isTls, address }) => (isTls ? 'https' : 'http') + address);
        await expect(fetchEndpoints(url, { listing: 'server' })).resolves.toEqual(shown);
      }),
      PROPERTY_RUNS,
    );
  });
});

describe('what the router refuses has its numbers', () => {
  it.each([
    [{ database: 'other' }, 403, 1230, 'operation only allowed in system database'],
    [{ database: 'd\u00e4/b', listing: 'server' }, 400, 1230, 'operation only allowed in system database'],
  ] as const)('%j', async (options, code, errorNum, errorMessage) => {
    const url = await host(() => ['tcp://a:1']);
    const refused = { name: 'ListingError', kind: 'refused', code, errorNum, errorMessage };
    await expect(fetchEndpoints(url, options)).rejects.toMatchObject(refused);
  });
});
