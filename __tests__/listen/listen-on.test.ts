import express from 'express';
import dns from 'node:dns/promises';
import { lstatSync } from 'node:fs';
import type { RequestListener } from 'node:http';
import { connect, type Socket } from 'node:net';
import { networkInterfaces } from 'node:os';
import { text } from 'node:stream/consumers';
import * as tls from 'node:tls';
import { ask } from '../support/router/ask.js';
import { makeCertificate } from '../support/certificate.js';
import { freePort } from '../support/process/free-port.js';
import { useListenOn } from '../support/process/listen-until-done.js';
import { useScratchFolder } from '../support/process/scratch-folder.js';

let certificate: { readonly key: string; readonly cert: string };

beforeAll(async () => {
  certificate = await makeCertificate();
});

const listen = useListenOn();
const scratch = useScratchFolder();

const hello: RequestListener = (req, res) => {
  res.end(`hello ${String(req.url)}`);
};
const hasIPv6Loopback = Object.values(networkInterfaces()).some((all) => all?.some(({ address }) => address === '::1'));

/** The port of an endpoint. */
const portOf = (endpoint = ''): number => Number(/:(\d+)$/.exec(endpoint)?.[1]);

afterEach(() => {
  jest.restoreAllMocks();
});

describe('listenOn binds every endpoint of the list', () => {
  it('tcp, on the port that the system chooses for port 0, and lists that port', async () => {
    const { servers, endpoints } = await listen(hello, ['tcp://127.0.0.1:0']);
    const [endpoint = ''] = endpoints();

    expect(endpoint).toMatch(/^tcp:\/\/127\.0\.0\.1:[1-9]\d+$/);
    expect(servers.map((server) => server.address())).toEqual([
      { address: '127.0.0.1', family: 'IPv4', port: portOf(endpoint) },
    ]);
    expect(await ask(endpoint, { path: '/x' })).toMatchObject({ status: 200, body: 'hello /x' });
  });

  it('unix, also where the name of the file ends as an address with port 0 does', async () => {
    const { endpoints } = await listen(hello, [`unix://${scratch('s:0')}`]);

    expect(endpoints()).toEqual([`unix://${scratch('s:0')}`]);
    expect(lstatSync(scratch('s:0')).isSocket()).toBe(true);
  });

  it('several of all kinds at once, listed in the order of the list', async () => {
    const asked = ['ssl://localhost:0', `unix://${scratch('a')}`, 'tcp://127.0.0.1:0', `unix://${scratch('b')}`];
    const { servers, endpoints } = await listen(hello, asked, { ssl: certificate });
    const [ssl = '', , tcp = ''] = endpoints();

    expect(endpoints()).toEqual([ssl, `unix://${scratch('a')}`, tcp, `unix://${scratch('b')}`]);
    expect([ssl, tcp]).toEqual([
      expect.stringMatching(/^ssl:\/\/localhost:\d+$/),
      expect.stringMatching(/^tcp:.*\d+$/),
    ]);
    expect(servers.map((server) => server.listening)).toEqual([true, true, true, true]);
    const answers = await Promise.all(endpoints().map((endpoint) => ask(endpoint, { ca: certificate.cert })));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
  });

  it('localhost at 127.0.0.1, and lists it as localhost', async () => {
    const { servers, endpoints } = await listen(hello, ['tcp://localhost:0']);

    expect(servers[0]?.address()).toMatchObject({ address: '127.0.0.1' });
    expect(endpoints()).toEqual([`tcp://localhost:${String(portOf(endpoints()[0]))}`]);
  });

  it('asks the resolver for the IPv4 address of a host name first', async () => {
    const lookup = jest.spyOn(dns, 'lookup').mockResolvedValue({ address: '127.0.0.1', family: 4 });
    const { endpoints } = await listen(hello, ['tcp://db.example:0']);

    expect(lookup.mock.calls).toEqual([['db.example', { verbatim: false }]]);
    expect(endpoints()).toEqual([`tcp://db.example:${String(portOf(endpoints()[0]))}`]);
  });

  it('once, where two come to the same socket: the first is listed', async () => {
    const port = String(await freePort());
    const path = scratch('s');
    const { servers, endpoints } = await listen(hello, [
      `tcp://localhost:${port}`,
      `http://localhost:${port}`,
      `TCP://127.0.0.1:${port}/`,
      `unix://${path}`,
      `http+unix://${path}`,
    ]);

    expect(endpoints()).toEqual([`tcp://localhost:${port}`, `unix://${path}`]);
    expect(servers).toHaveLength(2);
  });

  it('on a port each, where two addresses ask for any port, and once, where one address asks twice', async () => {
    const { endpoints } = await listen(hello, ['tcp://127.0.0.1:0', 'tcp://localhost:0', 'TCP://127.0.0.1:0/']);
    const [address = '', name = ''] = endpoints();

    expect(endpoints()).toEqual([
      expect.stringMatching(/^tcp:\/\/127\.0\.0\.1:[1-9]\d+$/),
      expect.stringMatching(/^tcp:\/\/localhost:[1-9]\d+$/),
    ]);
    expect(portOf(address)).not.toBe(portOf(name));
  });

  it('all in one turn, so that no client is served by a part of the list', async () => {
    const path = scratch('s');
    const seen: boolean[] = [];
    const lookup = jest.spyOn(dns, 'lookup').mockImplementation(async () => {
      await new Promise((resolve) => setTimeout(resolve, 20));
      seen.push(
        await ask(`unix://${path}`).then(
          () => true,
          () => false,
        ),
      );
      return { address: '127.0.0.1', family: 4 };
    });
    await listen(hello, [`unix://${path}`, 'tcp://slow.example:0']);

    expect(lookup).toHaveBeenCalledTimes(1);
    expect(seen).toEqual([false]);
  });
});

it('The listing of what is bound is the same frozen array at each call, and an empty frozen one from close() on', async () => {
  const { endpoints, close } = await listen(hello, ['tcp://127.0.0.1:0']);
  const before = endpoints();
  expect(endpoints()).toBe(before);
  expect([before.length, Object.isFrozen(before)]).toEqual([1, true]);

  const closed = close();
  expect([endpoints(), endpoints() === endpoints(), Object.isFrozen(endpoints())]).toEqual([[], true, true]);
  await closed;
  expect(endpoints()).toEqual([]);
});

describe(hasIPv6Loopback ? 'IPv6' : 'IPv6 IS MISSING ON THIS MACHINE: only its refusal is tried', () => {
  if (!hasIPv6Loopback) {
    it('is refused in words', async () => {
      await expect(listen(hello, ['tcp://[::1]:0'])).rejects.toThrow(
        /^cannot listen on tcp:\/\/\[::1\]:0: this machine has no /,
      );
    });
    return;
  }

  it('is bound at [::1], and listed in brackets', async () => {
    const { servers, endpoints } = await listen(hello, ['tcp://[0:0:0:0:0:0:0:1]:0']);
    const [endpoint = ''] = endpoints();

    expect(servers[0]?.address()).toMatchObject({ address: '::1', family: 'IPv6' });
    expect(endpoint).toMatch(/^tcp:\/\/\[::1\]:[1-9]\d+$/);
    expect(await ask(endpoint)).toMatchObject({ status: 200, body: 'hello /' });
  });

  it.each([
    ['tcp://[::1]', 'tcp://127.0.0.1'],
    ['tcp://[::]', 'tcp://0.0.0.0'],
    ['tcp://127.0.0.1', 'tcp://[::]'],
    ['tcp://[::]', 'tcp://localhost'],
  ])('is bound beside IPv4 on the same port: %s and %s', async (one, other) => {
    const port = String(await freePort());
    const { endpoints } = await listen(hello, [`${one}:${port}`, `${other}:${port}`]);

    expect(endpoints()).toEqual([`${one}:${port}`, `${other}:${port}`]);
    expect(await ask(`tcp://[::1]:${port}`)).toMatchObject({ status: 200 });
    expect(await ask(`tcp://127.0.0.1:${port}`)).toMatchObject({ status: 200 });
  });

  it('is bound at an IPv4 address in the form of an IPv6 one beside IPv4 on the same port', async () => {
    const port = String(await freePort());
    await listen(hello, [`tcp://127.0.0.1:${port}`, `tcp://[::ffff:127.0.0.2]:${port}`]);

    expect(await ask(`tcp://127.0.0.1:${port}`)).toMatchObject({ status: 200 });
    expect(await ask(`tcp://127.0.0.2:${port}`)).toMatchObject({ status: 200 });
  });

  it('takes IPv4 connections too when [::] is alone on its port', async () => {
    const { endpoints } = await listen(hello, ['tcp://[::]:0']);
    const [endpoint = ''] = endpoints();

    expect(await ask(endpoint.replace('[::]', '127.0.0.1'))).toMatchObject({ status: 200 });
    expect(await ask(endpoint.replace('[::]', '[::1]'))).toMatchObject({ status: 200 });
  });
});

describe('The servers', () => {
  it('make requests and responses with the prototypes of an Express application, over tcp and ssl', async () => {
    const app = express();
    const right: boolean[] = [];
    app.get('/', (_req, res) => {
      res.send('from Express');
    });
    const { servers, endpoints } = await listen(app, ['tcp://127.0.0.1:0', 'ssl://127.0.0.1:0'], {
      ssl: certificate,
    });
    for (const server of servers) {
      server.prependListener('request', (req, res) => {
        right.push(Object.getPrototypeOf(req) === app.request, Object.getPrototypeOf(res) === app.response);
      });
    }
    for (const endpoint of endpoints()) {
      expect(await ask(endpoint, { ca: certificate.cert })).toMatchObject({ status: 200, body: 'from Express' });
    }

    expect(right).toEqual([true, true, true, true]);
  });

  it("keep an idle connection for keepAliveTimeout ms, over tcp, ssl and unix, without limit for Infinity, and have Node's other limits", async () => {
    const asked = ['tcp://127.0.0.1:0', 'ssl://127.0.0.1:0', `unix://${scratch('s')}`];
    const { servers } = await listen(hello, asked, { ssl: certificate, keepAliveTimeout: 250 });
    const others = { headersTimeout: 60_000, requestTimeout: 300_000, timeout: 0 };
    expect(servers).toMatchObject(asked.map(() => ({ ...others, keepAliveTimeout: 250 })));

    // Node calls it 0.
    const endless = await listen(hello, ['tcp://127.0.0.1:0'], { keepAliveTimeout: Infinity });
    expect(endless.servers[0]?.keepAliveTimeout).toBe(0);
  });

  it('accept a request without Host on a socket file, and refuse it with 400 over tcp and ssl', async () => {
    const asked = [`unix://${scratch('s')}`, 'tcp://127.0.0.1:0', 'ssl://127.0.0.1:0'];
    const { endpoints } = await listen(hello, asked, { ssl: certificate });
    const [, tcp, ssl] = endpoints();
    const withoutHost = async (socket: Socket): Promise<unknown> => {
      socket.write('GET / HTTP/1.1\r\nConnection: close\r\n\r\n');
      return (await text(socket)).split('\r\n')[0];
    };

    expect(await withoutHost(connect(scratch('s')))).toBe('HTTP/1.1 200 OK');
    expect(await withoutHost(connect(portOf(tcp), '127.0.0.1'))).toBe('HTTP/1.1 400 Bad Request');
    expect(await withoutHost(tls.connect(portOf(ssl), 'localhost', { ca: certificate.cert }))).toBe(
      'HTTP/1.1 400 Bad Request',
    );
  });

  it('outlive an error of their own, which becomes a warning of the process', async () => {
    const { servers, endpoints } = await listen(hello, ['tcp://127.0.0.1:0']);
    const warn = jest.spyOn(process, 'emitWarning').mockImplementation();
    const error = new Error('accept EMFILE');

    servers[0]?.emit('error', error);

    expect(warn.mock.calls).toEqual([[error]]);
    expect(await ask(endpoints()[0] ?? '')).toMatchObject({ status: 200 });
  });

  it('outlive a client that does not speak HTTP, or TLS on ssl', async () => {
    const { endpoints } = await listen(hello, ['tcp://127.0.0.1:0', 'ssl://127.0.0.1:0'], { ssl: certificate });

    for (const endpoint of endpoints()) {
      const socket = connect(portOf(endpoint), '127.0.0.1').on('error', () => undefined);
      socket.resume().write('\0\0 nonsense\r\n\r\n');
      await new Promise((resolve) => socket.on('close', resolve));
      expect(await ask(endpoint, { ca: certificate.cert })).toMatchObject({ status: 200 });
    }
  });
});
