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

  it('in the form in which it is listed', async () => {
    const url = await host(() => new Set(['TCP://Db.Example', 'http+ssl://[::1]']));
    await expect(fetchEndpoints(url)).resolves.toEqual(['tcp://db.example:8529', 'ssl://[::1]:8529']);
    const listed = await fetchEndpoints(url, { listing: 'server' });
    expect(listed).toEqual(['http://db.example:8529', 'https://[::1]:8529']);
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

  it('on a server that is not a coordinator', async () => {
    server = await answerWith(express().use(createEndpointRouter({ endpoints: [] })));
    await expect(fetchEndpoints(`http://${server.address}`)).rejects.toMatchObject({
      code: 501,
      errorNum: 9,
      errorMessage: 'cannot serve this request for this deployment type',
    });
  });

  it('when the provider fails', async () => {
    server = await answerWith(
      express().use(
        createEndpointRouter({
          endpoints: () => Promise.reject(new Error('openSesame')),
          onError: () => undefined,
        }),
      ),
    );
    await expect(fetchEndpoints(`http://${server.address}`, { listing: 'server' })).rejects.toMatchObject({
      code: 500,
      errorNum: 4,
      errorMessage: 'internal error',
    });
  });
});

describe('the bodies of the reference server are read', () => {
  it.each<[string, 'cluster' | 'server', string, string[]]>([
    ['a server', 'server', '[{"endpoint":"http://127.0.0.1:8529"}]', ['http://127.0.0.1:8529']],
    [
      'a Coordinator',
      'cluster',
      '{"error":false,"code":200,"endpoints":[{"endpoint":"tcp://10.0.0.1:8529"}]}',
      ['tcp://10.0.0.1:8529'],
    ],
    [
      'a Coordinator with an advertised address',
      'cluster',
      '{"error":false,"code":200,"endpoints":[{"endpoint":"ssl://gw.example:443","internal":"tcp://10.0.0.1:8529"}]}',
      ['ssl://gw.example:443'],
    ],
    [
      'a Coordinator, as its operator wrote it',
      'cluster',
      '{"error":false,"code":200,"endpoints":[{"endpoint":"HTTP+SSL://Localhost"}]}',
      ['HTTP+SSL://Localhost'],
    ],
    ['a server by the prose of the manual', 'server', '[{"entrypoint":"tcp://[::1]:8529"}]', ['tcp://[::1]:8529']],
    [
      'a Coordinator by the prose of the manual',
      'cluster',
      '{"error":false,"code":200,"endpoints":[{"internal":"tcp://10.0.0.1:1","entrypoint":"tcp://10.0.0.1:8529"}]}',
      ['tcp://10.0.0.1:8529'],
    ],
  ])('that of %s', async (_name, listing, body, endpoints) => {
    server = await answerWith((_req, res) => {
      res.writeHead(200, { 'content-type': 'application/json; charset=utf-8' }).end(body);
    });
    await expect(fetchEndpoints(`http://${server.address}`, { listing })).resolves.toEqual(endpoints);
  });

  it.each([
    ['server', 405, 405, 'method not supported'],
    ['server', 403, 1230, 'operation only allowed in system database'],
    ['server', 404, 1228, 'database not found'],
    ['cluster', 501, 9, 'cannot serve this request for this deployment type'],
    ['cluster', 405, 405, 'only the GET method is allowed'],
  ] as const)('that of an error: %s listing, %i / %i', async (listing, code, errorNum, errorMessage) => {
    server = await answerWith((_req, res) => {
      res.writeHead(code, { 'content-type': 'application/json; charset=utf-8' });
      res.end(`{"code":${String(code)},"error":true,"errorMessage":"${errorMessage}","errorNum":${String(errorNum)}}`);
    });
    const refused = { name: 'ListingError', kind: 'refused', code, errorNum, errorMessage };
    await expect(fetchEndpoints(`http://${server.address}`, { listing })).rejects.toMatchObject(refused);
  });
});
