import { writeFile } from 'node:fs/promises';
import { isDeepStrictEqual } from 'node:util';
import { runServer } from '../../../lib/cli/serve/run-server.js';
import { makeCertificate } from '../../support/certificate.js';
import { gateways, listed } from '../../support/gateway/gateways.js';
import { goneEndpoint } from '../../support/health/health-directories.js';
import { freePort } from '../../support/process/free-port.js';
import * as deadline from '../../../lib/request/deadline.js';
import { FakeTerminal } from '../../support/process/fake-terminal.js';
import { anyPort } from '../../support/process/running-server.js';
import { until } from '../../support/until.js';
import { STARTING } from '../../support/upstream/coordinator.js';

const ROLE = ['--cluster.my-role', 'COORDINATOR'];
const RULES = [
  '--cluster.translate=tcp://10.0.0.11:8529=ssl://db1.example:443',
  '--cluster.translate=tcp://10.0.0.12:8529=ssl://db2.example:443',
];
const INSIDE = ['tcp://10.0.0.11:8529', 'tcp://10.0.0.12:8529'];

const { within } = deadline;
const { serve, run, refusal, configured, scratchFile } = gateways();

describe('A gateway without a line of code', () => {
  it('lists what --cluster.upstream lists, translated by --cluster.translate', async () => {
    const upstream = await serve([...INSIDE, 'tcp://10.0.0.13:8529']);
    const log = await run([...ROLE, '--cluster.upstream', upstream.url, ...RULES], async (url) => {
      expect(await listed(url)).toEqual(['ssl://db1.example:443', 'ssl://db2.example:443']);
    });
    expect(log).toEqual([
      `coordinators: ${INSIDE.join(' ')} tcp://10.0.0.13:8529`,
      'not listed, as no rule of --cluster.translate matches: tcp://10.0.0.13:8529',
    ]);
  });

  it('says what it skips in the first list, and in each other one, in no more than 21 lines', async () => {
    const bad = (count: number, word: string): string[] =>
      Array.from({ length: count }, (_, at) => `${word}${String(at)}`);
    const upstream = await serve([...INSIDE, ...bad(300, 'first')]);
    const log = await run([...ROLE, '--cluster.upstream', upstream.url], async (url) => {
      upstream.reply([INSIDE[0] ?? '', ...bad(300, 'second')]);
      await until('the other list is there', async () => isDeepStrictEqual(await listed(url), INSIDE.slice(0, 1)));
    });
    const skipped = log.filter((line) => line.includes('skipped '));
    expect(skipped).toHaveLength(42);
    expect(skipped[0]).toMatch(/^skipped an entry of the registry: .*first0.*: it has no/);
    expect(skipped[20]).toBe('skipped 280 more entries of the registry');
    expect(skipped[21]).toMatch(/^skipped an entry of the registry: .*second0.*: it has no/);
    expect(skipped[41]).toBe('skipped 280 more entries of the registry');
  });

  it('tries the upstreams in their order, in the database of --cluster.upstream-database', async () => {
    const [first, second] = [await serve(STARTING), await serve(INSIDE)];
    const servers = [first, second].flatMap(({ endpoint }) => ['--cluster.upstream', endpoint]);
    await run([...ROLE, ...servers, '--cluster.upstream-database=my db'], async (url) => {
      expect(await listed(url)).toEqual(INSIDE);
    });
    expect(new Set(second.requests)).toEqual(new Set(['GET /_db/my%20db/_api/cluster/endpoints']));
  });

  it('lists itself, too, when it knows its own address', async () => {
    const upstream = await serve(INSIDE);
    await run([...ROLE, '--cluster.upstream', upstream.url, '--cluster.my-address=tcp://me'], async (url) => {
      expect(await listed(url)).toEqual([...INSIDE, 'tcp://me:8529']);
    });
  });

  it('trusts the authority of --cluster.upstream-cafile, and shows the certificate of --cluster.upstream-keyfile', async () => {
    const own = await makeCertificate();
    await writeFile(scratchFile('ca.pem'), own.cert);
    await writeFile(scratchFile('client.pem'), `${own.cert}\n${own.key}`);
    const upstream = await serve(INSIDE, { ...own, ca: own.cert, requestCert: true });
    const tls = ['--cluster.upstream-cafile=ca.pem', '--cluster.upstream-keyfile=client.pem'];
    await run([...ROLE, '--cluster.upstream', upstream.url, ...tls], async (url) => {
      expect(await listed(url)).toEqual(INSIDE);
    });
  });

  it('names the option that is missing where a certificate is not trusted, or the file that does not help', async () => {
    const [own, other] = [await makeCertificate(), await makeCertificate()];
    await writeFile(scratchFile('other.pem'), other.cert);
    const [upstream, a] = [await serve(INSIDE, own), await serve([], own)];
    const args = [...ROLE, '--cluster.upstream', upstream.url];
    expect(await refusal(args)).toEqual([
      expect.stringMatching(/not trusted .*; name the authority of the certificate with --cluster\.upstream-cafile$/),
    ]);
    expect(await refusal([...args, '--cluster.upstream-cafile=other.pem'])).toEqual([
      expect.stringMatching(/; the authority of the certificate is not in the file of --cluster\.upstream-cafile$/),
    ]);
    const checks = [...ROLE, '--cluster.coordinator', a.endpoint, '--cluster.health-check=true'];
    const log = await run(checks, () => Promise.resolve());
    expect(log[0]).toMatch(
      /^ssl:.* is down: .*; name the authority of the certificate with --cluster\.health-check-cafile$/,
    );
  });

  it('keeps the dead off the list with --cluster.health-check, and says who is down and up', async () => {
    const [a, gone] = [await serve([]), await goneEndpoint()];
    const upstream = await serve([a.endpoint, gone]);
    const checks = [
      '--cluster.health-check=true',
      '--cluster.health-check-interval=1',
      '--cluster.health-check-allow=127.0.0.0/8',
    ];
    const translate = [`--cluster.translate=*=tcp://lb`, `--cluster.translate=${a.endpoint}=tcp://a`];
    const log = await run(
      [...ROLE, '--cluster.upstream', upstream.url, ...checks, ...translate],
      async (url, terminal) => {
        expect(await listed(url)).toEqual(['tcp://a:8529']);
        a.reply(STARTING);
        await terminal.until(new RegExp(`${a.endpoint} is down`));
        // None is healthy now: clients fail over from a dead server, but not from an empty list.
        expect(new Set((await listed(url)) as string[])).toEqual(new Set(['tcp://a:8529', 'tcp://lb:8529']));
        a.reply([]);
        await terminal.until(/an endpoint is healthy again/);
      },
    );
    expect(log).toEqual([
      `coordinators: ${[a.endpoint, gone].sort().join(' ')}`,
      expect.stringMatching(new RegExp(`^${gone} is down: connect ECONNREFUSED`)) as string,
      `${a.endpoint} is down: the answer is 503`,
      'no endpoint is healthy: serving all 2 until one recovers',
      `${a.endpoint} is up`,
      'an endpoint is healthy again: only those that are healthy are listed',
    ]);
    expect(new Set(a.requests)).toEqual(new Set(['GET /_admin/server/availability']));
  });

  it('starts also when its endpoints are silent for the time of the first round, lists them all, and says so', async () => {
    const { endpoint } = await serve('silence');
    jest.mocked(deadline.within).mockImplementationOnce((_ms, ...more) => within(1, ...more));
    const log = await run([...ROLE, '--cluster.coordinator', endpoint, '--cluster.health-check=true'], async (url) => {
      expect(await listed(url)).toEqual([endpoint]);
    });
    expect(log[0]).toBe(`${endpoint} is down: no check has ended yet`);
  });

  it.each([
    ['/_api/version', ['GET /_api/version']],
    ['tcp', []],
  ])('asks for --cluster.health-check-path=%s', async (path, requests) => {
    const a = await serve([]);
    const checks = ['--cluster.health-check=true', `--cluster.health-check-path=${path}`];
    await run([...ROLE, '--cluster.coordinator', a.endpoint, ...checks], async (url) => {
      expect(await listed(url)).toEqual([a.endpoint]);
    });
    expect(a.requests.slice(0, 1)).toEqual(requests);
  });

  it('trusts the authority of --cluster.health-check-cafile', async () => {
    const own = await makeCertificate();
    await writeFile(scratchFile('ca.pem'), own.cert);
    const [a, b] = [await serve([], own), await goneEndpoint()];
    const list = [a.endpoint, b].flatMap((endpoint) => ['--cluster.coordinator', endpoint]);
    await run(
      [...ROLE, ...list, '--cluster.health-check=true', '--cluster.health-check-cafile=ca.pem'],
      async (url) => {
        expect(await listed(url)).toEqual([a.endpoint]);
      },
    );
  });
});

describe('A gateway whose endpoints die', () => {
  const measured = async (status: string): Promise<string> =>
    (await fetch(`${status.replace('tcp:', 'http:')}/metrics`)).text();
  const begin = async () => {
    const [a, b, c] = [await serve([]), await serve([]), await serve([])];
    const status = `tcp://127.0.0.1:${String(await freePort())}`;
    const upstream = await serve([a, b, c].map(({ endpoint }) => endpoint));
    const checks = ['--cluster.health-check=true', '--cluster.health-check-interval=1', '--status.endpoint', status];
    return { a, b, c, status, args: [...ROLE, '--cluster.upstream', upstream.url, ...checks] };
  };

  it('lists those with a rule that live; all of these when none of them lives, though one without a rule does', async () => {
    const { a, b, args, status } = await begin();
    const rules = [`--cluster.translate=${a.endpoint}=tcp://a`, `--cluster.translate=${b.endpoint}=tcp://b`];
    const log = await run([...args, ...rules], async (url, terminal) => {
      expect(new Set((await listed(url)) as string[])).toEqual(new Set(['tcp://a:8529', 'tcp://b:8529']));
      a.reply(STARTING);
      await until('b alone is listed', async () => String(await listed(url)) === 'tcp://b:8529');
      b.reply(STARTING);
      await terminal.until(/no endpoint is healthy/);
      expect(new Set((await listed(url)) as string[])).toEqual(new Set(['tcp://a:8529', 'tcp://b:8529']));
      expect(await measured(status)).toContain('endpoint_listing_all_down 1\n');
      expect(await (await fetch(`${status.replace('tcp:', 'http:')}/ready`)).json()).toEqual({
        ready: true,
        healthy: 0,
        listed: 2,
      });
    });
    expect(log).toContain('no endpoint is healthy: serving all 2 until one recovers');
  });

  it('lists one balancer for three as long as one of them lives, and counts 1', async () => {
    const { a, b, args, status } = await begin();
    await run([...args, '--cluster.translate=*=tcp://lb'], async (url, terminal) => {
      a.reply(STARTING);
      b.reply(STARTING);
      await terminal.until(new RegExp(`${a.endpoint} is down`));
      await terminal.until(new RegExp(`${b.endpoint} is down`));
      expect(await listed(url)).toEqual(['tcp://lb:8529']);
      const metrics = await measured(status);
      expect(metrics).toContain('endpoint_listing_endpoints{listing="cluster"} 1\n');
      expect(metrics).toContain('endpoint_listing_entries{state="down"} 2\n');
      expect(metrics).toContain('endpoint_listing_all_down 0\n');
    });
  });
});

describe('A gateway that cannot start', () => {
  it('waits for its upstream for --cluster.wait seconds', async () => {
    const upstream = await serve(STARTING);
    const terminal = new FakeTerminal(scratchFile('.'));
    const done = runServer(
      [...(await anyPort()), ...ROLE, '--cluster.upstream', upstream.url, '--cluster.wait=60'],
      terminal,
    );
    await terminal.until(/upstream unavailable, retrying for 60 s: .*503/);
    upstream.reply(INSIDE);
    await terminal.until(/^try: curl/);
    terminal.emit('SIGTERM');
    expect(await done).toBe(0);
  });

  it.each<[string, string]>([
    ['missing.pem', 'cluster.health-check-cafile cannot be read: ENOENT'],
    ['/dev/null', 'cluster.health-check-cafile is refused: there is no certificate in /dev/null'],
  ])('says so of %s in one line, and leaves nothing open', async (file, reason) => {
    const upstream = await serve(INSIDE);
    const checks = ['--cluster.health-check=true', `--cluster.health-check-cafile=${file}`];
    const log = await refusal([...ROLE, '--cluster.upstream', upstream.url, '--cluster.wait=60', ...checks]);
    expect(log.at(-1)).toContain(reason);
    const { length } = upstream.requests;
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(upstream.requests).toHaveLength(length);
  });
});

describe('SIGHUP', () => {
  const COORDINATOR = ['[server]', 'endpoint = tcp://127.0.0.1:0', '[cluster]', 'my-role = COORDINATOR'];

  it('replaces the rules of a gateway that a file configures', async () => {
    const first = [...COORDINATOR, `upstream = ${(await serve(INSIDE)).url}`];
    const rule = (to: string): string => `translate = tcp://10.0.0.11:8529=${to}`;
    await configured([...first, rule('tcp://a')], async ({ listed, hangUp }) => {
      expect(await listed()).toEqual(['tcp://a:8529']);
      expect(await hangUp(...first, rule('tcp://b'), 'translate = * = tcp://c')).toContain('reload failed');
      expect(await listed()).toEqual(['tcp://a:8529']);
      const both = 'changed cluster.translate, cluster.translate-unmatched';
      for (const [lines, said, list] of [
        [[rule('tcp://b'), 'translate = *=tcp://c'], 'changed cluster.translate', ['tcp://b:8529', 'tcp://c:8529']],
        [[rule('tcp://b'), 'translate-unmatched = keep'], both, ['tcp://b:8529', 'tcp://10.0.0.12:8529']],
        [[], both, INSIDE],
        [['health-check = true'], 'nothing changed; a restart is needed for cluster.health-check', INSIDE],
      ] as const) {
        expect(await hangUp(...first, ...lines)).toBe(`configuration reloaded: ${said}`);
        expect(await listed()).toEqual(list);
      }
    });
  });

  it('replaces the rules of a thousand coordinators', async () => {
    const list = Array.from({ length: 1000 }, (_, index) => `coordinator = tcp://c${String(index)}.example`);
    const first = [...COORDINATOR, ...list];
    await configured([...first, 'translate = *=tcp://a'], async ({ listed, hangUp }) => {
      expect(await listed()).toEqual(['tcp://a:8529']);
      expect(await hangUp(...first, 'translate = *=tcp://b')).toBe('configuration reloaded: changed cluster.translate');
      await until('the other address is listed', async () => String(await listed()) === 'tcp://b:8529');
    });
  });

  it('replaces a fixed list that is checked', async () => {
    const [a, b, gone] = [await serve([]), await serve([]), await goneEndpoint()];
    const first = [...COORDINATOR, 'health-check = true'];
    await configured([...first, `coordinator = ${a.endpoint}`, `coordinator = ${gone}`], async ({ listed, hangUp }) => {
      expect(await listed()).toEqual([a.endpoint]);
      expect(await hangUp(...first, `coordinator = ${b.endpoint}`)).toBe(
        'configuration reloaded: changed cluster.coordinator',
      );
      await until('the other one is listed', async () => String(await listed()) === b.endpoint);
    });
  });
});
