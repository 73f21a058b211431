import { writeFile } from 'node:fs/promises';
import { request, type RequestOptions } from 'node:http';
import { createHorizonChoice } from '../../../lib/cli/serve/horizon-choice.js';
import { loadServerOptions } from '../../../lib/config/index.js';
import { gateways } from '../../support/gateway/gateways.js';
import { runUntilAsked } from '../../support/process/running-server.js';
import { freePort } from '../../support/process/free-port.js';

const [A, B] = ['tcp://10.0.0.11:8529', 'tcp://10.0.0.12:8529'];
const LIST = ['--cluster.my-role=COORDINATOR', `--cluster.coordinator=${A}`, `--cluster.coordinator=${B}`];
const everything = (name: string): string => `*=tcp://${name}:1`;
const NAMED = 'named.example';

const { run, refusal, scratchFile } = gateways();

/** What a client gets: the body of a 200, or the status. Its address may be any of 127.0.0.0/8. */
const ask = (url: string, options: RequestOptions = {}, path = '/_api/cluster/endpoints'): Promise<string> =>
  new Promise((resolve, reject) => {
    const { hostname, port } = new URL(url);
    const asked = request({ hostname, port, path, agent: false, ...options }, (answer) => {
      const chunks: Buffer[] = [];
      answer.on('data', (chunk: Buffer) => chunks.push(chunk));
      answer.on('end', () =>
        resolve(answer.statusCode === 200 ? String(Buffer.concat(chunks)) : String(answer.statusCode)),
      );
    });
    asked.on('error', reject).end();
  });
const listed = async (...args: Parameters<typeof ask>): Promise<string> =>
  [...(await ask(...args)).matchAll(/"endpoint":"([^"]*)"/g)].map(([, endpoint]) => endpoint).join(' ');

const from = (localAddress: string, headers: Record<string, string> = {}): RequestOptions => ({
  localAddress,
  headers: { Host: 'db.example', ...headers },
});

describe('A client of a command with horizons', () => {
  const horizons = [
    ['cluster', 'translate', everything('outer')],
    ['horizon.admin', 'network', '127.0.0.3'],
    ['horizon.admin', 'host', 'db.admin'],
    ['horizon.admin', 'translate', everything('admin')],
    ['horizon.inside', 'network', '127.0.0.2/31'],
    ['horizon.inside', 'translate-unmatched', 'keep'],
    ['horizon.named', 'host', NAMED],
    ['horizon.named', 'translate', everything('named')],
    ['http', 'trusted-proxy', '127.0.0.9'],
  ].map(([section = '', option = '', value = '']) => `--${section}.${option}=${value}`);
  const INSIDE = `${A} ${B}`;
  const OUTER = 'tcp://outer:1';
  const target = `http://${NAMED}/_api/cluster/endpoints`;

  it.each<[string, RequestOptions, string, string?]>([
    ['is in none by its address', from('127.0.0.1'), OUTER],
    ['is in the network', from('127.0.0.2'), INSIDE],
    [
      'is in the first of which every kind of condition holds',
      from('127.0.0.3', { Host: 'db.admin' }),
      'tcp://admin:1',
    ],
    ['is in the next where one of them does not', from('127.0.0.3'), INSIDE],
    ['asks for a name, however it writes it', from('127.0.0.1', { Host: 'NAMED.Example.:80' }), 'tcp://named:1'],
    ['is who a trusted proxy says', from('127.0.0.9', { 'X-Forwarded-For': '127.0.0.2' }), INSIDE],
    [
      'is who it says behind what the client says',
      from('127.0.0.9', { 'X-Forwarded-For': '127.0.0.2, 8.8.8.8' }),
      OUTER,
    ],
    ['is who it says, in the spelling of IPv6', from('127.0.0.9', { 'X-Forwarded-For': '::ffff:127.0.0.2' }), INSIDE],
    ['is who it says, in any zone', from('127.0.0.9', { 'X-Forwarded-For': '::ffff:127.0.0.2%eth0' }), INSIDE],
    ['asks for what a trusted proxy says', from('127.0.0.9', { 'X-Forwarded-Host': NAMED }), 'tcp://named:1'],
    ['cannot say who it is', from('127.0.0.1', { 'X-Forwarded-For': '127.0.0.2', 'X-Real-IP': '127.0.0.2' }), OUTER],
    [
      'cannot say so in the standard header',
      from('127.0.0.9', { Forwarded: 'for=127.0.0.2;host=named.example' }),
      OUTER,
    ],
    ['cannot say what it asks for', from('127.0.0.1', { 'X-Forwarded-Host': NAMED }), OUTER],
    ['asks for a name in its Host, not in its target', from('127.0.0.1'), OUTER, target],
    ['is in no network by an address with a zone', from('127.0.0.9', { 'X-Forwarded-For': '127.0.0.2%lo' }), OUTER],
    ['is in no network by a short address', from('127.0.0.9', { 'X-Forwarded-For': '127.2' }), OUTER],
    ['is in no network by a number', from('127.0.0.9', { 'X-Forwarded-For': '2130706434' }), OUTER],
  ])('%s', async (_, options, expected, path = '/_api/cluster/endpoints') => {
    await run([...LIST, ...horizons], async (url) => {
      // The second time, it is known.
      expect([await listed(url, options, path), await listed(url, options, path)]).toEqual([expected, expected]);
    });
  });

  it('comes in by an endpoint, which the other listing of its horizon translates, too; through a socket it has no address', async () => {
    const socket = `unix://${scratchFile('e.sock')}`;
    const port = String(await freePort());
    const endpoints = [`--server.endpoint=tcp://127.0.0.1:${port}`, `--server.endpoint=${socket}`];
    const socketHorizon = [
      `--horizon.net.network=::/0`,
      `--horizon.net.network=0.0.0.0/0`,
      `--horizon.net.translate=${everything('net')}`,
      `--horizon.socket.endpoint=${socket}`,
      `--horizon.socket.translate=tcp://127.0.0.1:${port}=ssl://front:443`,
      '--horizon.socket.translate-unmatched=keep',
    ];
    const log = await run([...endpoints, ...LIST, ...socketHorizon], async (url) => {
      expect(await listed(url, from('127.0.0.1'))).toBe('tcp://net:1');
      const bySocket = { socketPath: scratchFile('e.sock'), setHost: false };
      expect(await listed(url, bySocket)).toBe(`${A} ${B}`);
      const own = await listed(url, bySocket, '/_api/endpoint');
      expect(own.split(' ').slice(1)).toEqual(['https://front:443', socket]);
    });
    expect(log).toEqual([]);
  });

  it('is chosen for once, however many horizons there are, and again once a thousand others were', () => {
    const { horizons: given } = loadServerOptions({ args: [...LIST, '--horizon.inside.network=10.0.0.0/8'], env: {} });
    let looks = 0;
    const endpoints = new Proxy([], { get: (list, key) => ((looks += Number(key === 'length')), list[key as never]) });
    const choose = createHorizonChoice(
      given.map((horizon) => [{ ...horizon, endpoints }, 'inside'] as const),
      'others',
      () => new Map(),
    );
    const chosenFor = (ip: string): string => choose({ ip, socket: {} } as never);
    expect([chosenFor('10.0.0.1'), chosenFor('::ffff:10.0.0.1'), chosenFor('::1')]).toEqual([
      'inside',
      'inside',
      'others',
    ]);
    const before = looks;
    expect([chosenFor('10.0.0.1'), looks]).toEqual(['inside', before]);
    for (let index = 0; index < 1000; index += 1) chosenFor(`fd00::${String(index)}`);
    const later = looks;
    expect([chosenFor('10.0.0.1'), looks]).toEqual(['inside', later + 1]);
  });

  it('has a page, series, readiness and lines of the log of its own; SIGHUP replaces rules and conditions, all or nothing', async () => {
    const status = `http://127.0.0.1:${String(await freePort())}`;
    const write = (inside: readonly string[], more: readonly string[] = [], server: readonly string[] = []) =>
      writeFile(
        scratchFile('a.conf'),
        [
          `page = true\nstatus.endpoint = ${status}\n[server]\nendpoint = tcp://127.0.0.1:0`,
          ...server,
          `[cluster]\nmy-role = COORDINATOR\ncoordinator = ${A}\ncoordinator = ${B}\ntranslate = ${everything('outer')}`,
          '[horizon.inside]',
          ...inside,
          ...more,
        ].join('\n'),
      );
    const open = [`[horizon.open]\nhost = ${NAMED}\ntranslate-unmatched = keep`];
    await write(['network = 127.0.0.2', `translate = ${A}=tcp://a`, 'translate = tcp://c=tcp://d'], open);
    await runUntilAsked(
      ['-c', 'a.conf'],
      async (url, terminal) => {
        const log = () => terminal.complaints.splice(0).map((line) => line.replace(/^[^:]*: (?:warn: |error: )?/, ''));
        const hangUp = async (...next: Parameters<typeof write>): Promise<string | undefined> => {
          await write(...next);
          terminal.emit('SIGHUP');
          await terminal.until(/configuration reloaded|reload failed/);
          return log().at(-1);
        };
        const series = async (): Promise<string[]> =>
          [...(await ask(status, {}, '/metrics')).matchAll(/^endpoint_listing_(.*horizon=.*)$/gm)].map(([, one]) =>
            String(one),
          );
        expect(log().slice(1)).toEqual([
          'horizon inside: rules of --horizon.inside.translate that match no endpoint on the list: tcp://c:8529',
          `horizon inside: not listed, as no rule of --horizon.inside.translate matches: ${B}`,
          `horizon open: any client that asks for its host gets these addresses untranslated: ${A}, ${B}`,
        ]);
        expect(JSON.parse(await ask(status, {}, '/ready'))).toEqual({
          ready: true,
          listed: 1,
          horizons: { inside: { listed: 1 }, open: { listed: 2 } },
        });
        expect((await series()).filter((one) => one.includes('inside'))).toEqual([
          'endpoints{listing="cluster",horizon="inside"} 1',
          'endpoints{listing="server",horizon="inside"} 1',
          'entries{state="listed",horizon="inside"} 1',
          'entries{state="down",horizon="inside"} 0',
          'entries{state="skipped",horizon="inside"} 1',
          'all_down{horizon="inside"} 0',
          'unused_rules{horizon="inside"} 1',
        ]);
        const page = await ask(url, from('127.0.0.2'), '/');
        expect(page).toContain('<title>Endpoint listing for horizon inside</title>');
        expect(page).toContain('tcp://a:8529');
        const outer = await ask(url, from('127.0.0.1'), '/');
        expect(outer).toContain('<title>Endpoint listing</title>');
        expect(outer).not.toMatch(/tcp:\/\/a:8529|10\.0\.0/);

        const other = 'tcp://127.0.0.1:1';
        expect(
          await hangUp(['network = 127.0.0.4'], [`[horizon.x]\nendpoint = ${other}`], [`endpoint = ${other}`]),
        ).toBe(
          'reload failed, keeping the current configuration: ' +
            `horizon.x.endpoint: ${other} needs a restart, or is another of server.endpoint by another name`,
        );
        expect(await listed(url, from('127.0.0.2'))).toBe('tcp://a:8529');
        const late = [`[horizon.late]\nnetwork = 127.0.0.5\ntranslate = ${everything('late')}`];
        expect(await hangUp(['network = 127.0.0.4', `translate = ${everything('a2')}`], late)).toBe(
          'configuration reloaded: changed horizons',
        );
        const clients = ['127.0.0.2', '127.0.0.4', '127.0.0.5'];
        expect(await Promise.all(clients.map((client) => listed(url, from(client))))).toEqual([
          'tcp://outer:1',
          'tcp://a2:1',
          'tcp://late:1',
        ]);
        expect(await listed(url, from('127.0.0.1', { Host: NAMED }))).toBe('tcp://outer:1');
        await hangUp(['network = 127.0.0.4', 'translate = tcp://c=tcp://d'], late);
        expect(await ask(status, {}, '/ready')).toBe('503');
      },
      { folder: scratchFile('.') },
    );
  });

  it('is told which endpoint of two that are one does not count', async () => {
    const port = String(await freePort());
    const endpoints = ['localhost', '127.0.0.1'].map((host) => `tcp://${host}:${port}`);
    const args = endpoints.map((endpoint) => `--server.endpoint=${endpoint}`);
    expect(await refusal([...args, ...LIST, `--horizon.a.endpoint=${String(endpoints[1])}`])).toEqual([
      `horizon.a.endpoint: ${String(endpoints[1])} needs a restart, or is another of server.endpoint by another name`,
    ]);
  });
});
