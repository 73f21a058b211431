import express, { Router, type Express } from 'express';
import fc from 'fast-check';
import { once } from 'node:events';
import type { Server } from 'node:http';
import { connect, type AddressInfo } from 'node:net';
import { createEndpointRouter } from '../../lib/index.js';
import { target } from '../support/hostile/raw-requests.js';
import { serve } from '../support/router/host.js';
import { request } from '../support/router/raw.js';
import { PROPERTY_RUNS } from '../support/runner/long-run.js';

/** Reads a request target as a hostile client would like the server to read it: which databases does it name? */
function namesForeignDatabase(path: string): boolean {
  const segments =
    path
      .split('?')[0]
      ?.split('/')
      .filter((segment) => segment !== '') ?? [];
  return segments.some((segment, index) => {
    const next = segments[index + 1];
    return decoded(segment).toLowerCase() === '_db' && next !== undefined && decoded(next) !== '_system';
  });
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return `undecodable ${text}`;
  }
}

const ask = jest.fn(() => ['tcp://a:1']);

/** Every mount shape, one host with all of them behind each other. */
function hostile(mount: (app: Express, router: Router) => void): Server {
  const app = express();
  mount(app, createEndpointRouter({ role: 'coordinator', endpoints: ask }));
  return serve(app);
}
const servers = [
  hostile((app, router) => app.use(router)),
  hostile((app, router) => app.use('/v1', router)),
  hostile((app, router) => app.use('/_db/:any', router)),
  hostile((app, router) => app.use('/:a/:b', router)),
  hostile((app, router) => app.use('/_db', Router({ strict: true }).use('/:any', router))),
  hostile((app, router) => app.enable('strict routing').enable('case sensitive routing').use('/_db/:any', router)),
];

beforeAll(() => Promise.all(servers.map((server) => once(server.listen(0, '127.0.0.1'), 'listening'))));
afterAll(() => servers.forEach((server) => server.close()));

function server(index: number): Server {
  const found = servers[index];
  if (found === undefined) throw new RangeError(`there is no server ${String(index)}`);
  return found;
}

/** The status of the answer; 0 when the connection was closed without one. */
async function statusOf(listening: Server, method: string, target: string): Promise<number> {
  const socket = connect((listening.address() as AddressInfo).port, '127.0.0.1');
  let text = '';
  socket.setEncoding('latin1').on('data', (chunk: string) => (text += chunk));
  socket.on('error', () => undefined);
  socket.write(request(method, target), 'latin1');
  await once(socket, 'close');
  return Number(/^HTTP\/1\.1 (\d{3})/.exec(text)?.[1] ?? 0);
}

const percentEncoded = (text: string): string =>
  [...Buffer.from(text)].map((byte) => `%${byte.toString(16).padStart(2, '0')}`).join('');

const method = fc.constantFrom('GET', 'GET', 'GET', 'GET', 'HEAD', 'POST', 'OPTIONS', 'TRACE', 'PROPFIND');

describe('The guard can not be passed', () => {
  it('no request that names another database gets a 200, and the provider is not asked', async () => {
    let foreign = 0;
    await fc.assert(
      fc.asyncProperty(fc.nat(servers.length - 1), method, target, async (index, verb, path) => {
        fc.pre(namesForeignDatabase(path));
        foreign += 1;
        ask.mockClear();
        const status = await statusOf(server(index), verb, path);
        expect({ path, status }).not.toEqual({ path, status: 200 });
        expect(ask).not.toHaveBeenCalled();
      }),
      PROPERTY_RUNS,
    );
    expect(foreign).toBeGreaterThanOrEqual(PROPERTY_RUNS.numRuns);
  });

  it('every name but _system is refused on both routes, whatever the name is', async () => {
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: 'grapheme', minLength: 1, maxLength: 20 }), async (database) => {
        fc.pre(database !== '_system');
        const encoded = encodeURIComponent(database).replace(/^\.\.?$/, percentEncoded(database));
        expect(await statusOf(server(0), 'GET', `/_db/${encoded}/_api/endpoint`)).toBe(400);
        expect(await statusOf(server(0), 'GET', `/_db/${encoded}/_api/cluster/endpoints`)).toBe(403);
      }),
      PROPERTY_RUNS,
    );
  });

  it('and yet _system is let in, in any encoding: the properties above do reach the provider', async () => {
    // Each of the seven letters as it is, or encoded.
    for (let encoded = 0; encoded < 128; encoded += 1) {
      const text = Array.from('_system')
        .map((letter, index) => ((encoded >> index) & 1 ? percentEncoded(letter) : letter))
        .join('');
      expect(await statusOf(server(0), 'GET', `/_db/${text}/_api/endpoint`)).toBe(200);
      expect(await statusOf(server(2), 'GET', `/_db/${text}/_api/cluster/endpoints`)).toBe(200);
    }
  });
});
