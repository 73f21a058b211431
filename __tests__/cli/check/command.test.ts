import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv2020, type AnySchemaObject } from 'ajv/dist/2020.js';
import { runCheck } from '../../../lib/cli/check/run-check.js';
import { makeCertificate } from '../../support/certificate.js';
import type { ListingCheck } from '../../../lib/client/index.js';
import { FakeCheckTerminal } from '../../support/check/check-terminal.js';
import { useListedServers } from '../../support/check/listed-servers.js';
import { withPatience } from '../../support/patience.js';
import { useScratchFolder } from '../../support/process/scratch-folder.js';
import { until } from '../../support/until.js';

const servers = useListedServers();
withPatience();
const scratchFile = useScratchFolder();
const schema = JSON.parse(readFileSync(join(__dirname, '../../../check.schema.json'), 'utf8')) as AnySchemaObject;
const isDocument = new Ajv2020({ strict: true, strictTypes: false }).compile(schema);

async function check(
  args: readonly string[],
  terminal = new FakeCheckTerminal(),
): Promise<FakeCheckTerminal & { exitCode: number }> {
  return Object.assign(terminal, { exitCode: await runCheck(args, terminal) });
}

/** Command lines that ask for nothing that can be done, and what is said about each. */
const WRONG: [args: string[], message: string][] = [
  [[], 'no URL to check (see check --help)'],
  [['a', 'b'], 'one URL can be checked at a time, got 2 (see check --help)'],
  [['--colour', 'openSesame'], 'unknown option "--colour" (see check --help)'],
  [['--no-colour', 'tcp://a:1'], 'unknown option "--no-colour", did you mean --no-color? (see check --help)'],
  [['--insecure=yes', 'tcp://a:1'], '"--insecure": the option takes no value (see check --help)'],
  [
    ['tcp://a:1', '--listing'],
    '"--listing": the option needs a value, WHICH: the listing to check: cluster or server (default: cluster) (see check --help)',
  ],
  [
    ['--watch', '--timeout', 'x', 'tcp://a:1'],
    '--timeout must be a number of milliseconds above 0, up to 2147483647, or Infinity, got "x"',
  ],
  [['--listing', 'all', 'tcp://a:1'], "--listing must be 'cluster' or 'server', got \"all\""],
  [['--header', 'openSesame', 'tcp://a:1'], "--header must be 'NAME: VALUE'"],
  [['--ca', '/no\u009bwhere', 'tcp://a:1'], "ENOENT: no such file or directory, open '/no\\u009bwhere'"],
  [['--ca', '/dev/null', 'tcp://a:1'], '--ca is refused: there is no certificate in /dev/null'],
  [['--watch', 'db.example:8529'], '"db.example:8529" has no scheme, did you mean http://db.example:8529?'],
  [['root:openSesame@h'], '"***@h" has no scheme, did you mean http://***@h?'],
  [['--user', 'a:b', 'tcp://a:1'], '--user must not contain a colon'],
  [['--user', 'root', 'tcp://a:1'], 'no terminal to ask for the password of root: set ENDPOINT_LISTING_PASSWORD'],
];

describe('the exit code of check', () => {
  it('is 0 when all endpoints can be used', async () => {
    const asked = await servers.plain();
    servers.list = [asked];
    const { exitCode, stdout, stderr } = await check([asked]);
    expect(exitCode).toBe(0);
    expect(stdout.text).toMatch(/^http:\/\/127\.0\.0\.1:\d+ lists 1 coordinator \((?:\d+ ms|\d+\.\d s)\)\n\nENDPOINT/);
    expect(stdout.text).toMatch(/\nThe one endpoint can be used from here\.\n$/);
    expect(stderr.text).toBe('');
  });

  it('is 1 when one cannot be used, or a warning breaks drivers', async () => {
    const asked = await servers.plain();
    servers.list = [asked, await servers.gone()];
    expect((await check([asked])).exitCode).toBe(1);
    servers.list = [{ endpoint: asked, internal: asked }];
    expect((await check([asked])).exitCode).toBe(1);
  });

  it('is 2 when there is no listing, with the reason in one line', async () => {
    const { exitCode, stdout, stderr } = await check([await servers.gone()]);
    expect([exitCode, stdout.text]).toEqual([2, '']);
    expect(stderr.text).toMatch(/^express-endpoint-listing: GET http:.*ECONNREFUSED.*\n$/);
    expect(stderr.text.trimEnd()).not.toContain('\n');
  });

  it('is 0 for --help, which names every option', async () => {
    const { exitCode, stdout } = await check(['--help']);
    expect(exitCode).toBe(0);
    const options = ['listing', 'database', 'user', 'header', 'ca', 'insecure', 'timeout', 'json', 'watch', 'no-color'];
    for (const option of options) expect(stdout.text).toContain(`  --${option} `);
  });
});

describe('the options of check', () => {
  it('reach the servers: listing, database, headers and user', async () => {
    const sent: unknown[] = [];
    const asked: string = await servers.plain(({ url, headers }, res) => {
      sent.push([url, headers['x-a'], headers['x-b'], headers.authorization]);
      res.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify([{ endpoint: asked }]));
    });
    const terminal = new FakeCheckTerminal();
    terminal.env['ENDPOINT_LISTING_PASSWORD'] = 'openSesame';
    const args = ['--listing=server', '--database=d', '--header=X-A: 1', '--header=X-B:2:3', '--user=root'];
    expect((await check([...args, asked], terminal)).exitCode).toBe(0);
    expect(sent).toEqual(Array(3).fill(['/_db/d/_api/endpoint', '1', '2:3', 'Basic cm9vdDpvcGVuU2VzYW1l']));
    expect(terminal.stdout.text + terminal.stderr.text).not.toContain('openSesame');
  });

  it('trust an authority, or any certificate', async () => {
    const authority = await makeCertificate({ isAuthority: true, name: 'authority' });
    const file = scratchFile('ca.pem');
    const otherFile = scratchFile('other.pem');
    writeFileSync(file, authority.cert);
    writeFileSync(otherFile, (await makeCertificate({ isAuthority: true, name: 'other' })).cert);
    const asked = await servers.secure(await makeCertificate({ ca: authority }));
    servers.list = [asked];
    expect((await check(['--ca', file, asked])).exitCode).toBe(0);
    expect((await check(['--insecure', asked])).exitCode).toBe(0);
    for (const [args, remedy] of [
      [[], 'name its authority with --ca FILE'],
      [['--ca', otherFile], 'its authority is not in the file of --ca'],
    ] as const) {
      const { exitCode, stderr } = await check([...args, asked]);
      expect([exitCode, stderr.text]).toEqual([
        2,
        expect.stringMatching(
          new RegExp(`the certificate is not trusted .*; ${remedy}, or accept any certificate with --insecure\n$`),
        ),
      ]);
    }
  });

  it('are named where they are to blame, or where another URL would do', async () => {
    const isForeign = { error: true, code: 403, errorNum: 1230, errorMessage: 'no' };
    const refusing = await servers.plain(servers.json(403, isForeign));
    const [plain, secure] = [await servers.plain(), await servers.secure(await makeCertificate())];
    const https = plain.replace('tcp', 'https');
    const http = secure.replace('ssl', 'http');
    for (const [args, end] of [
      [['--database', 'd', refusing], '; only _system has the listing: omit --database'],
      [[https], `: the server answers without TLS: try ${https.replace('https', 'http')}`],
      [[http], `: the server answers only with TLS: try ${http.replace('http', 'https')}`],
    ] as const) {
      const { exitCode, stderr } = await check(args);
      expect([exitCode, stderr.text.trimEnd().endsWith(end)]).toEqual([2, true]);
    }
  });

  it('limit the time', async () => {
    const { exitCode, stderr } = await check(['--timeout', '5', await servers.frozen()]);
    expect(exitCode).toBe(2);
    expect(stderr.text).toContain('no complete answer within 5 ms');
  });
});

describe('--json', () => {
  it('prints one document that fits the schema in the package', async () => {
    const asked = await servers.plain();
    servers.list = [asked, { endpoint: 'tcp://a', internal: 'x' }, await servers.gone()];
    const { exitCode, stdout } = await check(['--json', '--database', '_system', asked]);
    const document: unknown = JSON.parse(stdout.text);
    expect(isDocument(document)).toBe(true);
    expect(document).toMatchObject({ ok: false, usable: 1, database: '_system', warnings: [{ kind: 'internal' }] });
    expect(exitCode).toBe(1);
  });

  it('prints one document also when there is no listing', async () => {
    const refusing = await servers.plain(
      servers.json(501, { error: true, code: 501, errorNum: 9, errorMessage: 'no' }),
    );
    const refused = await check(['--json', refusing]);
    expect(isDocument(JSON.parse(refused.stdout.text))).toBe(true);
    expect(JSON.parse(refused.stdout.text)).toMatchObject({
      ok: false,
      error: { kind: 'refused', code: 501, errorNum: 9 },
    });
    expect(refused.exitCode).toBe(2);
    const usage = await check(['--json', 'nothing']);
    expect(isDocument(JSON.parse(usage.stdout.text))).toBe(true);
    expect(JSON.parse(usage.stdout.text)).toMatchObject({ ok: false, error: { kind: 'usage' } });
  });

  it.each(WRONG)(
    'prints one document, or without it one line, for the wrong command line %j',
    async (args, message) => {
      const plain = await check(args);
      expect([plain.exitCode, plain.stderr.text]).toEqual([2, `express-endpoint-listing: ${message}\n`]);
      const { exitCode, stdout } = await check(['--json', ...args]);
      const [line = '', ...more] = stdout.text.split('\n');
      expect([exitCode, more, JSON.parse(line)]).toEqual([
        2,
        [''],
        { ok: false, error: { kind: 'usage', message: JSON.parse(`"${message.replaceAll('"', '\\"')}"`) as string } },
      ]);
      expect(isDocument(JSON.parse(line))).toBe(true);
    },
  );

  it('prints one document also where the mistake is at --json itself', async () => {
    const { stdout } = await check(['--json=yes', 'tcp://a:1']);
    expect(JSON.parse(stdout.text)).toMatchObject({
      error: { message: '"--json": the option takes no value (see check --help)' },
    });
  });

  it('escapes every character of a hostile server that acts on a terminal, and says the same', async () => {
    const odd = Array.from('\u0007\u001b\u007f\u009b\u061c\u200b\u200f\u202e\u2028\u2066\u{e0041}\ufeff');
    const asked = await servers.plain();
    servers.list = odd.map((text) => `tcp://a${text}:1`);
    const { stdout } = await check(['--json', asked]);
    expect(stdout.text).toMatch(/^[^\p{Cc}\p{Cf}\p{Zl}\p{Zp}]*\n$/u);
    expect(stdout.text).toContain('tcp://a\\u009b:1');
    const { endpoints } = JSON.parse(stdout.text) as ListingCheck;
    expect(endpoints.map(({ endpoint }) => endpoint)).toEqual(servers.list);
  });

  it('has a schema that refuses what is no such document', () =>
    expect(
      [{}, { ok: true }, { ok: true, error: { kind: 'usage', message: '' } }].map((value) => isDocument(value)),
    ).toEqual([false, false, false]));
});

describe('a terminal', () => {
  it('shows progress, which is gone when the report is there, and colours', async () => {
    const asked = await servers.plain();
    servers.list = [asked, 'tcp://a'];
    const { stdout, stderr } = await check([asked], FakeCheckTerminal.ofSize(80));
    expect(stderr.text).toBe('\rtried 1 of 2\u001b[K\rtried 2 of 2\u001b[K\r\u001b[K');
    expect(stdout.text).toContain('\u001b[32mok');
  });

  it('that is dumb gets no escape sequence, neither colours nor progress, and reports below each other', async () => {
    const asked = await servers.plain();
    servers.list = [asked];
    const terminal = FakeCheckTerminal.ofSize(80);
    terminal.env['TERM'] = 'dumb';
    const { stdout, stderr } = await check([asked], terminal);
    expect(stdout.text).toMatch(/^http.*\nThe one endpoint can be used from here\.\n$/s);
    const done = runCheck(['--watch', asked], terminal);
    await until('a second report', () => stdout.text.split('\nThe one').length > 3);
    terminal.emit('SIGINT');
    expect(await done).toBe(0);
    expect(stdout.text + stderr.text).not.toMatch(/[^\P{Cc}\n]/u);
  });

  it.each<[string, (terminal: FakeCheckTerminal) => string[]]>([
    ['--no-color', () => ['--no-color']],
    ['NO_COLOR', ({ env }) => ((env['NO_COLOR'] = '1'), [])],
  ])('has no colours with %s', async (_what, prepare) => {
    const asked = await servers.plain();
    servers.list = [asked];
    const terminal = FakeCheckTerminal.ofSize(80);
    const { stdout } = await check([...prepare(terminal), asked], terminal);
    expect(stdout.text).toContain('ok');
    expect(stdout.text).not.toContain('\u001b');
  });

  it.each([undefined, NaN, 0, 1, 2])('that says %p when asked how wide it is has 80 columns', async (columns) => {
    const asked = await servers.plain();
    servers.list = [asked, 'tcp://a:1/'];
    const terminal = FakeCheckTerminal.ofSize(80);
    Object.assign(terminal.stdout, { columns });
    const { stdout } = await check(['--no-color', asked], terminal);
    const widths = stdout.text.split('\n').map(({ length }) => length);
    expect(Math.max(...widths)).toBeLessThanOrEqual(80);
    expect(Math.max(...widths)).toBeGreaterThan(60);
  });
});

describe('a password', () => {
  const ask = async (keys: string): Promise<FakeCheckTerminal & { exitCode: number }> => {
    const asked: string = await servers.plain((req, res) =>
      servers.json(req.headers.authorization === 'Basic cm9vdDpvcGVuU2VzYW1l' ? 200 : 401, [{ endpoint: asked }])(
        req,
        res,
      ),
    );
    const terminal = FakeCheckTerminal.ofSize(80);
    terminal.stderr.onWrite = () => {
      if (terminal.stderr.text === 'Password of root: ') terminal.stdin.write(keys);
    };
    return check(['--user', 'root', asked], terminal);
  };

  it('is typed at the terminal without being shown', async () => {
    const terminal = await ask('openSesamee\u007f\r');
    expect(terminal.exitCode).toBe(0);
    expect(terminal.stderr.text).toMatch(/^Password of root: \n\rtried 1 of 1/);
    expect(terminal.stderr.text + terminal.stdout.text).not.toContain('openSesame');
  });

  it.each([
    ['Ctrl-C', '\u0003'],
    ['Ctrl-D', '\u0004'],
  ])('may be refused with %s', async (_name, key) => {
    const { exitCode, stderr } = await ask(key);
    expect([exitCode, stderr.text]).toEqual([2, 'Password of root: \nexpress-endpoint-listing: no password given\n']);
  });

  it('is refused with a line break in it, and not shown', async () => {
    const terminal = new FakeCheckTerminal();
    terminal.env['ENDPOINT_LISTING_PASSWORD'] = 'openSesame\n';
    const { exitCode, stderr } = await check(['--user', 'root', 'tcp://127.0.0.1:1'], terminal);
    expect([exitCode, stderr.text]).toEqual([
      2,
      "express-endpoint-listing: ENDPOINT_LISTING_PASSWORD has a line break in it: base64 and files add one, tr -d '\\n' removes it\n",
    ]);
  });
});

describe('a server that asks for a user', () => {
  it.each<[string, string[], string]>([
    ['no user was sent', [], 'no user was sent: give one with --user NAME'],
    ['the wrong one was sent', ['--user', 'root'], 'the user or the password is wrong'],
    [
      'a header did not do',
      ['--header', 'AUTHORIZATION: Bearer openSesame'],
      'the Authorization of --header was refused',
    ],
  ])('is said to do so in one line, and that %s', async (_what, args, remedy) => {
    const asked = await servers.plain(servers.json(401, { error: true, code: 401, errorNum: 11, errorMessage: 'no' }));
    const terminal = new FakeCheckTerminal();
    terminal.env['ENDPOINT_LISTING_PASSWORD'] = 'openSesame';
    const { exitCode, stderr } = await check([...args, asked], terminal);
    const url = `${asked.replace('tcp:', 'http:')}/_api/cluster/endpoints`;
    expect([exitCode, stderr.text]).toEqual([
      2,
      `express-endpoint-listing: GET ${url}: the server refused with 401 / 11: "no"; ${remedy}\n`,
    ]);
  });

  it('is said to do so for a user in the URL, too', async () => {
    const asked = await servers.plain(servers.json(401, {}));
    const { stderr } = await check([asked.replace('tcp://', 'http://root:openSesame@')]);
    expect(stderr.text).toMatch(/refused with 401; the user or the password is wrong\n$/);
    expect(stderr.text).not.toContain('openSesame');
  });
});

describe('--watch', () => {
  /** Watches until the screen fits a pattern, changes something, and so on; ends with Ctrl-C. */
  async function watch(
    args: readonly string[],
    terminal: FakeCheckTerminal,
    steps: readonly [RegExp, () => unknown][],
  ): Promise<number> {
    const done = runCheck(['--watch', ...args], terminal);
    for (const [pattern, change] of steps) {
      await until(String(pattern), () => pattern.test(terminal.stdout.text + terminal.stderr.text));
      terminal.stdout.text = '';
      terminal.stderr.text = '';
      await change();
    }
    terminal.emit('SIGINT');
    return done;
  }

  it('checks again and again, below each other in a pipe, and ends with the last exit code', async () => {
    const asked = await servers.plain();
    servers.list = [asked];
    const terminal = new FakeCheckTerminal();
    const exitCode = await watch([asked], terminal, [
      [/^\d{4}-\S*Z http.*The one endpoint can be used from here\.\n$/s, () => (servers.list = [asked, 'tcp://a'])],
      [/^\n\d{4}-\S*Z http.*1 of 2 can be used from here\. .*\n$/s, () => undefined],
    ]);
    expect(exitCode).toBe(1);
    expect([terminal.eventNames(), terminal.stdout.eventNames()]).toEqual([[], []]);
  });

  it.each([[[]], [['--json']]])(
    'ends when its reader has gone, with the code of what it saw, and asks no more: %j',
    async (options) => {
      let requests = 0;
      const asked: string = await servers.plain((req, res) => {
        requests += 1;
        servers.json(200, [{ endpoint: asked }])(req, res);
      });
      const terminal = new FakeCheckTerminal();
      let writes = 0;
      terminal.stdout.onWrite = () => {
        // A pipe whose reader has gone says so at the next write, a little later.
        if (++writes === 2) process.nextTick(() => terminal.stdout.emit('error', new Error('EPIPE')));
      };
      const exitCode = await runCheck(['--watch', ...options, asked], terminal);
      expect([exitCode, requests, writes]).toEqual([0, 3, 2]);
    },
  );

  it('prints a line of JSON for each check', async () => {
    const asked = await servers.plain();
    servers.list = [asked];
    const exitCode = await watch(['--json', asked], new FakeCheckTerminal(), [
      [/^\{"ok":true.*\}\n$/, () => (servers.list = [])],
      [/^ \{"ok":false.*\}\n$/, () => undefined],
    ]);
    expect(exitCode).toBe(1);
  });

  it('writes in place on a terminal, no more lines than fit, and goes on when the server has gone', async () => {
    const asked = await servers.plain();
    servers.list = [asked, ...Array.from({ length: 20 }, (_, index) => `tcp://a${String(index)}`)];
    const terminal = FakeCheckTerminal.ofSize(80, 10);
    const screens: string[] = [];
    terminal.stdout.onWrite = () => void screens.push(terminal.stdout.text);
    const exitCode = await watch([asked], terminal, [
      [/more lines/, () => servers.close()],
      [/ECONNREFUSED/, () => undefined],
    ]);
    expect(exitCode).toBe(2);
    const [first = '', second = ''] = screens;
    expect(first.startsWith('\u001b[2J\u001b[H')).toBe(true);
    expect(first.split('\n')).toHaveLength(10);
    expect(first).toContain('... 41 more lines\u001b[K\n\u001b[J');
    expect(second.startsWith('\u001b[H')).toBe(true);
    expect(second).toContain('again every 2 s until Ctrl-C\u001b[K\n\u001b[K\nGET http://');
  });

  it.each([undefined, 0, 3])(
    'takes a terminal that says %p when asked how high it is for one of 24 lines',
    async (rows) => {
      const asked = await servers.plain();
      servers.list = [asked, ...Array.from({ length: 40 }, (_, index) => `tcp://a${String(index)}`)];
      const terminal = FakeCheckTerminal.ofSize(80);
      Object.assign(terminal.stdout, { rows });
      let height = 0;
      await watch([asked], terminal, [[/more lines/, () => undefined]]);
      terminal.stdout.onWrite = () => (height = terminal.stdout.text.split('\n').length);
      await watch([asked], terminal, [[/more lines/, () => undefined]]);
      expect(height).toBe(24);
    },
  );

  it('ends at once during a check', async () => {
    const leaving = new FakeCheckTerminal();
    // It never answers.
    const asked = await servers.plain(() => leaving.emit('SIGTERM'));
    await expect(runCheck(['--watch', '--timeout', '60000', asked], leaving)).resolves.toBe(0);
  });
});
