import { readFile, writeFile } from 'node:fs/promises';
import supertest from 'supertest';
import { runServer } from '../../../lib/cli/serve/run-server.js';
import { VERSION } from '../../../lib/cli/output.js';
import { SERVER_OPTIONS } from '../../../lib/config/index.js';
import { makeCertificate } from '../../support/certificate.js';
import { listed } from '../../support/gateway/gateways.js';
import { FakeTerminal } from '../../support/process/fake-terminal.js';
import { ask } from '../../support/router/ask.js';
import { freePort } from '../../support/process/free-port.js';
import { anyPort, runUntilAsked } from '../../support/process/running-server.js';
import { useScratchFolder } from '../../support/process/scratch-folder.js';
import { until } from '../../support/until.js';

const inFolder = useScratchFolder();
const running: typeof runUntilAsked = (args, ask, options) =>
  runUntilAsked(args, ask, { folder: inFolder('.'), ...options });

const CLUSTER = '/_api/cluster/endpoints';
const escaped = (text: string): string => text.replaceAll(/[.*+?()[\]{}|^$\\]/g, '\\$&');

describe('express-endpoint-listing', () => {
  it.each(['http://', 'https://?x', 'foo://h', 'http://[::1'])(
    'answers the target %s in its own form',
    async (path) => {
      await running(await anyPort(), async (url) => {
        const { status, headers, body } = await ask(url.replace('http', 'tcp'), { path });
        expect([status, headers['content-type'], headers['x-powered-by'], body]).toEqual([
          404,
          'application/json; charset=utf-8',
          undefined,
          '{"code":404,"error":true,"errorMessage":"unknown path","errorNum":404}',
        ]);
      });
    },
  );

  it('says what it is, where it listens and what to try; serves; and stops cleanly', async () => {
    const { exitCode, terminal } = await running(await anyPort(), async (url) => {
      expect((await supertest(url).get('/_api/endpoint')).body).toEqual([{ endpoint: url }]);
      expect((await supertest(url).get(CLUSTER)).body).toMatchObject({ code: 501, errorNum: 9 });
      expect((await supertest(url).get('/other')).headers).not.toHaveProperty('x-powered-by');
      expect((await supertest(url).get('/other')).body).toEqual({
        code: 404,
        error: true,
        errorMessage: 'unknown path',
        errorNum: 404,
      });
    });
    const port = /:(\d+)$/.exec(terminal.lines[1] ?? '')?.[1] ?? '';
    expect(terminal.lines).toEqual([
      'express-endpoint-listing 0.1.0, single, listening on:',
      `  tcp://127.0.0.1:${port}`,
      `try: curl http://127.0.0.1:${port}/_api/endpoint`,
      'stopped',
    ]);
    expect([exitCode, terminal.complaints, terminal.eventNames()]).toEqual([0, [], []]);
  });

  it('prints its help, which has each option of the table, and says how the environment gives them', async () => {
    const terminal = new FakeTerminal();
    expect(await runServer(['--help'], terminal)).toBe(0);
    expect(terminal.lines.slice(0, 3)).toEqual([
      'Usage: express-endpoint-listing [options]',
      '       express-endpoint-listing check [options] <URL>   tries every endpoint that a server lists; see check --help',
      '       express-endpoint-listing test-cluster [options]  starts a cluster that tests can break; see test-cluster --help',
    ]);
    const text = terminal.lines.join('\n');
    for (const { name, description } of SERVER_OPTIONS)
      expect(text).toMatch(new RegExp(`^  (?:-\\w, )?--${name} .*${escaped(description)}`, 'm'));
    expect(text).toContain(
      '\n  --cluster.coordinator ENDPOINT             list this Coordinator (a fixed list); may be repeated\n',
    );
    expect(text).toContain('\n  -c, --configuration FILE                   read this file, or none\n');
    expect(text).toContain('ENDPOINT_LISTING_SERVER_ENDPOINT');
  });

  it('asks no agency as a server that is no coordinator', async () => {
    const agency = ['--cluster.agency-endpoint', `http://127.0.0.1:${String(await freePort())}`];
    const args = [...(await anyPort()), '--cluster.my-role=DBSERVER', '--cluster.my-address=tcp://a:1', ...agency];
    const { exitCode } = await running(args, async (url) => {
      expect((await supertest(url).get(CLUSTER)).body).toMatchObject({ code: 501, errorNum: 9 });
    });
    expect(exitCode).toBe(0);
  });

  it('prints the version of the package', async () => {
    const terminal = new FakeTerminal();
    expect(await runServer(['--version'], terminal)).toBe(0);
    const { version } = JSON.parse(await readFile('package.json', 'utf8')) as { version: string };
    expect([terminal.lines, VERSION]).toEqual([[version], version]);
  });

  it.each([
    ['an unknown option', ['--server.endpont', 'tcp://a'], /server\.endpoint/],
    ['a bad endpoint', ['--server.endpoint', 'tcp://:1'], /the host is empty/],
    [
      'an ssl endpoint without a keyfile',
      ['--server.endpoint', 'ssl://127.0.0.1:0'],
      /^express-endpoint-listing: error: ssl:.* needs a certificate: name its file with --ssl\.keyfile$/,
    ],
    [
      'an ssl endpoint of the status, which is answered without TLS',
      ['--server.endpoint', 'tcp://127.0.0.1:0', '--status.endpoint=ssl://127.0.0.1:1'],
      /error: --status\.endpoint ssl:\/\/127\.0\.0\.1:1: the status is answered without TLS, on tcp:\/\/ only$/,
    ],
    ...['tcp://0.0.0.0:0', 'tcp://[::]:0', 'unix:///tmp/only.sock'].map((endpoint): [string, string[], string] => [
      `a coordinator that listens on nothing but ${endpoint}, of which no client could use the list`,
      ['--server.endpoint', endpoint, '--cluster.my-role', 'COORDINATOR'],
      `express-endpoint-listing: error: a coordinator that listens on ${endpoint} needs --cluster.my-address: ` +
        'clients cannot connect to a wildcard address or to a socket of another machine',
    ]),
  ])('refuses %s with one line and exit code 1', async (_what, args, message) => {
    const terminal = new FakeTerminal();
    expect(await runServer(args, terminal)).toBe(1);
    expect(terminal.complaints).toHaveLength(1);
    expect(terminal.complaints[0]).toMatch(message);
  });

  it('names the options of the reference server that have no use here, in one line, and serves', async () => {
    const args = [...(await anyPort()), '--database.directory', '/data', '--server.jwt-secret=s3cr3t'];
    const { terminal } = await running(args, () => Promise.resolve());
    expect(terminal.complaints).toEqual([
      'express-endpoint-listing: warn: ignoring options of the reference server: database.directory, server.jwt-secret',
    ]);
  });
});

describe('An ssl endpoint, on IPv6', () =>
  it('is served with the keyfile', async () => {
    const { key, cert } = await makeCertificate();
    const keyfile = inFolder('server.pem');
    await writeFile(keyfile, `${cert}\n${key}`);
    const port = String(await freePort());
    const args = ['--server.endpoint', `ssl://[::1]:${port}`, '--ssl.keyfile', keyfile];
    const { exitCode, terminal } = await running(args, async (url) => {
      expect(JSON.parse((await ask(url.replace('https:', 'ssl:'), { path: '/_api/endpoint', ca: cert })).body)).toEqual(
        [{ endpoint: url }],
      );
    });
    expect([exitCode, terminal.lines[2]]).toEqual([0, `try: curl --insecure https://[::1]:${port}/_api/endpoint`]);
  }));

describe('The command', () => {
  const { argv } = process;
  afterEach(() => {
    process.argv = argv;
    process.exitCode = undefined;
    process.stdout.removeAllListeners('error');
    process.stderr.removeAllListeners('error');
    jest.restoreAllMocks();
  });

  const run = async (args: string[], exitCode = 1): Promise<jest.SpyInstance> => {
    process.exitCode = undefined;
    const written = jest.spyOn(process.stderr, 'write').mockImplementation(() => true);
    process.argv = ['node', 'express-endpoint-listing', ...args];
    await jest.isolateModulesAsync(async () => {
      await import('../../../lib/cli/bin.js');
    });
    await until('the exit code is set', () => process.exitCode === exitCode);
    return written;
  };

  it('takes its arguments and its streams from the process, and gives it the exit code', async () => {
    const written = await run(['--nonsense']);
    expect(process.stdout.emit('error', new Error('EPIPE: the terminal has gone'))).toBe(true);
    expect(written).toHaveBeenCalledWith(
      expect.stringContaining('express-endpoint-listing: command line: "--nonsense"'),
    );
  });

  it('runs the server without arguments, as the environment has it', async () => {
    jest.replaceProperty(process, 'env', { ENDPOINT_LISTING_LOG_LEVEL: 'loud' });
    expect(await run([])).toHaveBeenCalledWith(expect.stringContaining('ENDPOINT_LISTING_LOG_LEVEL: "loud"'));
  });

  it('runs each subcommand for its word', async () => {
    expect(await run(['check'], 2)).toHaveBeenCalledWith(
      expect.stringContaining('express-endpoint-listing: no URL to check'),
    );
    expect(await run(['alive'])).toHaveBeenCalledWith(expect.stringContaining('nowhere to ask'));
    for (const word of ['test-cluster', 'serve'])
      expect(await run([word, '--nonsense'])).toHaveBeenCalledWith(expect.stringContaining('"--nonsense"'));
  });

  it.each([
    ['chek', 'unknown command "chek", did you mean check? (see --help)'],
    ['http://root:openSesame@db.example:8529', 'unknown command "http://***@db.example:8529" (see --help)'],
  ])('refuses the unknown command %s once, whatever stands behind it', async (word, message) => {
    const written = await run([word, 'http://db.example:8529', 'x']);
    expect(written.mock.calls).toEqual([[`express-endpoint-listing: ${message}\n`]]);
  });
});

describe('A coordinator with a fixed list', () => {
  const coordinator = async (): Promise<string[]> => [...(await anyPort()), '--cluster.my-role', 'COORDINATOR'];

  it('lists what --cluster.coordinator names', async () => {
    const list = ['--cluster.coordinator', 'tcp://a.example', '--cluster.coordinator=ssl://b.example:1'];
    await running([...(await coordinator()), ...list], async (url) => {
      expect((await supertest(url).get(CLUSTER)).text).toBe(
        '{"error":false,"code":200,"endpoints":[{"endpoint":"tcp://a.example:8529"},{"endpoint":"ssl://b.example:1"}]}',
      );
      expect((await supertest(url).get('/_api/endpoint')).body).toEqual([{ endpoint: url }]);
    });
  });

  it('lists itself when it knows no other: the advertised address, its own, or what it listens on', async () => {
    const own = ['--cluster.my-address', 'tcp://own.example'];
    const advertised = ['--cluster.my-advertised-endpoint', 'tcp://public.example'];
    for (const [args, first] of [
      [[...own, ...advertised], 'tcp://public.example:8529'],
      [own, 'tcp://own.example:8529'],
      [[], undefined],
    ] as const) {
      await running([...(await coordinator()), ...args], async (url) => {
        expect(await listed(url)).toEqual([first ?? url.replace('http:', 'tcp:')]);
      });
    }
  });

  it('leaves out what clients cannot connect to, and says so on stderr', async () => {
    const args = [...(await anyPort()), ...(await anyPort('0.0.0.0')), '--cluster.my-role', 'COORDINATOR'];
    const { terminal } = await running(args, async (url) => {
      expect(await listed(url)).toEqual([url.replace('http:', 'tcp:')]);
    });
    expect(terminal.complaints).toEqual([
      expect.stringMatching(
        /^express-endpoint-listing: warn: skipped in the cluster listing: "tcp:\/\/0\.0\.0\.0:\d+" is not an endpoint: clients cannot connect to a wildcard address; /,
      ),
    ]);
  });

  it('that listens on nothing but a wildcard address starts with an address of its own, or a list', async () => {
    const args = ['--server.endpoint', 'tcp://0.0.0.0:0', '--cluster.my-role', 'COORDINATOR'];
    for (const more of ['--cluster.my-address=tcp://me', '--cluster.coordinator=tcp://me']) {
      await running([...args, more], async (url) => {
        expect(await listed(url.replace('0.0.0.0', '127.0.0.1'))).toEqual(['tcp://me:8529']);
      });
    }
  });
});
