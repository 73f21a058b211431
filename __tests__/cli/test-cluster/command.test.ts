import { readFileSync } from 'node:fs';
import { createServer, request as httpRequest } from 'node:http';
import { PassThrough } from 'node:stream';
import { runTestCluster } from '../../../lib/cli/test-cluster/run-test-cluster.js';
import type { Signal } from '../../../lib/cli/terminal.js';
import { ask as askEndpoint } from '../../support/router/ask.js';
import { listenCuttable } from '../../support/process/cuttable.js';
import { freePort } from '../../support/process/free-port.js';
import { FakeTerminal } from '../../support/process/fake-terminal.js';
import { createOpenApiValidator } from '../../support/router/openapi-validator.js';
import { ask, CLUSTER_ROUTE, listing } from '../../support/testing/cluster.js';

class Terminal extends FakeTerminal {
  readonly stdin = new PassThrough();
}

/** The line that the command prints when it is ready. */
interface Ready {
  readonly control: string;
  readonly urls: readonly string[];
  readonly endpoints: readonly string[];
  readonly ca?: string;
}

interface Running {
  readonly terminal: Terminal;
  readonly ready: Ready;
  readonly exitCode: Promise<number>;
}

/** Something else that has a port, until its end. */
async function taking(port: number, use: (port: number) => Promise<unknown>): Promise<void> {
  const other = createServer();
  const taken = await listenCuttable(other, '127.0.0.1', port);
  await use(taken.port);
  await taken.close();
}

const running: Running[] = [];
afterEach(async () => {
  for (const { terminal, exitCode } of running.splice(0)) {
    terminal.emit('SIGTERM');
    await exitCode;
  }
});

async function run(args: readonly string[] = [], env: Record<string, string> = {}): Promise<Running> {
  const terminal = new Terminal();
  Object.assign(terminal.env, env);
  const exitCode = runTestCluster(args, terminal);
  const ready = JSON.parse(await terminal.until(/^\{/)) as Ready;
  const command = { terminal, ready, exitCode };
  running.push(command);
  return command;
}

/** What the command says and returns when it does not start. */
async function failed(args: readonly string[], env: Record<string, string> = {}): Promise<[number, string[]]> {
  const terminal = new Terminal();
  Object.assign(terminal.env, env);
  const exitCode = await runTestCluster(args, terminal);
  expect(terminal.lines).toEqual([]);
  return [exitCode, terminal.complaints];
}

const validator = createOpenApiValidator(JSON.parse(readFileSync('testing.openapi.json', 'utf8')) as object);

/** Sends a request to the control API, and compares the answer with its description: status and parsed body. */
async function control(
  { ready }: Running,
  method: string,
  path: string,
  body?: unknown,
): Promise<[status: number, body: unknown]> {
  const response = await fetch(ready.control + path, {
    method,
    ...(body !== undefined && {
      body: typeof body === 'string' ? body : JSON.stringify(body),
      headers: { 'Content-Type': 'application/json' },
    }),
  });
  const text = await response.text();
  const described = path.replace(/\/coordinators\/\d+/, '/coordinators/{index}');
  const headers = Object.fromEntries(response.headers);
  expect(validator.problems({ path: described, method, status: response.status, headers, body: text })).toEqual([]);
  return [response.status, text === '' ? undefined : JSON.parse(text)];
}
const DONE = [204, undefined];
const refused = (code: number, errorMessage: unknown): unknown => [
  code,
  { code, error: true, errorMessage, errorNum: code },
];

describe('express-endpoint-listing test-cluster', () => {
  it('prints one line of JSON when it is ready, and nothing else', async () => {
    const { terminal, ready } = await run();
    expect(terminal.lines).toHaveLength(1);
    expect(Object.keys(ready)).toEqual(['control', 'urls', 'endpoints']);
    expect(ready.control).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
    expect(ready.urls).toHaveLength(3);
    for (const url of ready.urls) expect(await ask(url)).toEqual([200, listing(ready.endpoints)]);
    expect(terminal.stdin.listenerCount('end')).toBe(0);
    expect(terminal.complaints).toEqual([]);
  });

  it('takes the options of startTestCluster', async () => {
    const args = ['--coordinators', '1', '--ssl', '--user', 'app', '--database', 'shop', '--host', '::1'];
    const more = ['--advertised-host', 'localhost', '--cluster-databases', 'any', '--not-coordinator-status', '403'];
    const { ready } = await run([...args, ...more], { ENDPOINT_LISTING_PASSWORD: 'secret' });
    expect(ready.endpoints).toEqual([expect.stringMatching(/^ssl:\/\/localhost:\d+$/) as string]);
    expect(ready.control).toMatch(/^http:\/\/localhost:\d+$/);
    expect(ready.ca).toMatch(/^-----BEGIN CERTIFICATE-----\n/);
    expect(await ask(ready.control.replace('localhost', '[::1]'), '/cluster')).toMatchObject([200, { ca: ready.ca }]);
  });

  it('asks for the user and the password, and does not start without a password', async () => {
    const { ready } = await run(['--user', 'app', '--coordinators', '1'], { ENDPOINT_LISTING_PASSWORD: '' });
    expect((await ask(ready.urls[0]))[0]).toBe(401);
    const headers = { Authorization: `Basic ${Buffer.from('app:').toString('base64')}` };
    expect((await ask(ready.urls[0], CLUSTER_ROUTE, { headers }))[0]).toBe(200);
    expect(await failed(['--user', 'app'])).toEqual([
      1,
      ['express-endpoint-listing: no password for app: set ENDPOINT_LISTING_PASSWORD'],
    ]);
  });

  it('takes the ports of the coordinators, one for each', async () => {
    const port = String(await freePort());
    expect((await run(['--ports', port])).ready.urls).toEqual([`http://127.0.0.1:${port}`]);
  });

  it('takes the port of the control API', async () => {
    let args: string[] = [];
    await taking(await freePort(), async (port) => {
      args = ['--control-port', String(port)];
      const message = /^express-endpoint-listing: cannot listen on tcp:\/\/127\.0\.0\.1:\d+: .*\(EADDRINUSE\)$/;
      expect(await failed(args)).toEqual([1, [expect.stringMatching(message)]]);
    });
    expect((await run(args)).ready.control).toBe(`http://127.0.0.1:${String(args[1])}`);
  });

  it.each([
    [['--control-port', '65536'], '--control-port must be a port from 0 to 65535, got "65536"'],
    [['--control-port', 'x'], '--control-port must be a port from 0 to 65535, got "x"'],
    [['--ports', '8529,8530'], '--ports must be up to 100 ports, such as 8529-8531, got "8529,8530"'],
    [['--ports', '8531-8529'], '--ports must be up to 100 ports, such as 8529-8531, got "8531-8529"'],
    [['--ports', '1000-1100'], '--ports must be up to 100 ports, such as 8529-8531, got "1000-1100"'],
    [['--ports', '65535-65536'], '--ports must be an array of 1 to 100 different ports from 1 to 65535, got an array'],
    [['--host', '0.0.0.0'], '--host 0.0.0.0 needs --advertised-host: clients cannot connect to a wildcard address'],
    [['--coordinators', 'many'], '--coordinators must be an integer from 1 to 100, got "many"'],
    [['--cluster-databases', 'x'], `--cluster-databases must be 'system' or 'any', got "x"`],
    [['--coordinator', '3'], 'unknown option "--coordinator", did you mean --coordinators? (see test-cluster --help)'],
    [
      ['--control-port'],
      '"--control-port": the option needs a value, PORT: the port of the control API (default: 0, a free one) (see test-cluster --help)',
    ],
    [['3', '4'], 'unexpected argument "3" (see test-cluster --help)'],
  ])('refuses %j', async (args, message) => {
    expect(await failed(args)).toEqual([1, [`express-endpoint-listing: ${message}`]]);
  });

  it('prints its help', async () => {
    const terminal = new Terminal();
    expect(await runTestCluster(['--help'], terminal)).toBe(0);
    expect(terminal.lines[0]).toBe('Usage: express-endpoint-listing test-cluster [options]');
  });

  it.each<Signal>(['SIGINT', 'SIGTERM', 'SIGHUP'])(
    'ends at %s with exit code 0, and leaves no listener',
    async (signal) => {
      const ports = ['--control-port', String(await freePort()), '--ports', String(await freePort())];
      const { terminal, ready, exitCode } = await run(ports);
      terminal.emit(signal);
      expect(await exitCode).toBe(0);
      await expect(ask(ready.control, '/cluster')).rejects.toMatchObject({ cause: { code: 'ECONNREFUSED' } });
      await expect(ask(ready.urls[0])).rejects.toMatchObject({ cause: { code: 'ECONNREFUSED' } });
      expect(terminal.eventNames()).toEqual([]);
    },
  );

  it('ends when its stdin is closed, with --until-stdin-closes', async () => {
    const { terminal, exitCode } = await run(['--until-stdin-closes']);
    terminal.stdin.write('what is written there does not matter\n');
    terminal.stdin.end();
    expect(await exitCode).toBe(0);
  });
});

describe('The control API', () => {
  it('sets a trouble, and says how often it was met', async () => {
    const command = await run();
    const trouble = { kind: 'status', status: 503, errorNum: 1478, times: 2 };
    expect(await control(command, 'PUT', '/trouble', trouble)).toEqual(DONE);
    expect(await ask(command.ready.urls[0])).toMatchObject([503, { errorNum: 1478 }]);
    expect(await control(command, 'GET', '/trouble')).toEqual([200, [{ trouble, met: 1 }]]);
  });

  it('sets several in their order, in place of those before, or none', async () => {
    const command = await run();
    const [url] = command.ready.urls;
    const status = (code: number, times?: number): object => ({
      kind: 'status',
      status: code,
      ...(times && { times }),
    });
    await control(command, 'PUT', '/trouble', status(400));
    await control(command, 'PUT', '/trouble', [status(500, 1), status(503)]);
    expect([(await ask(url))[0], (await ask(url))[0], (await ask(url))[0]]).toEqual([500, 503, 503]);
    expect(await control(command, 'PUT', '/trouble', [])).toEqual(DONE);
    expect((await ask(url))[0]).toBe(200);
    expect(await control(command, 'GET', '/trouble')).toEqual([200, []]);
  });

  it('refuses a trouble with what is wrong with it, and leaves those before as they are', async () => {
    const command = await run();
    await control(command, 'PUT', '/trouble', { kind: 'status', status: 503 });
    const bad = [
      { kind: 'status', status: 500 },
      { kind: 'silence', coordinator: 3 },
    ];
    expect(await control(command, 'PUT', '/trouble', bad)).toEqual(
      refused(400, 'trouble: option coordinator must be an integer from 0 to 2, got 3'),
    );
    expect((await ask(command.ready.urls[0]))[0]).toBe(503);
  });

  it('sets the list and the role', async () => {
    const command = await run();
    expect(await control(command, 'PUT', '/list', ['tcp://a:1'])).toEqual(DONE);
    expect(await ask(command.ready.urls[0])).toEqual([200, listing(['tcp://a:1'])]);
    expect(await control(command, 'PUT', '/role', '"single"')).toEqual(DONE);
    expect((await ask(command.ready.urls[0]))[0]).toBe(501);
  });

  it.each([
    ['/list', ['tcp://:1'], 400, expect.stringContaining('setList: list: ')],
    ['/list', { endpoints: [] }, 400, 'setList: list must be an array, got object'],
    ['/role', '"leader"', 400, expect.stringContaining('role')],
    ['/trouble', '{kind:', 400, expect.stringMatching(/^the body is not JSON: /)],
    ['/coordinators/9/stop', undefined, 404, 'there is no coordinator 9, only 0 to 2'],
  ])('refuses PUT %s of %j with %i, and says why', async (path, body, status, message) => {
    expect(await control(await run(), 'PUT', path, body)).toEqual(refused(status, message));
  });

  it('stops, starts and freezes a coordinator', async () => {
    const command = await run();
    const states = async (): Promise<unknown> => {
      const [, body] = await control(command, 'GET', '/cluster');
      return (body as { coordinators: { state: string }[] }).coordinators.map(({ state }) => state);
    };
    expect(await control(command, 'PUT', '/coordinators/1/stop')).toEqual(DONE);
    expect(await control(command, 'PUT', '/coordinators/2/freeze')).toEqual(DONE);
    expect(await states()).toEqual(['running', 'stopped', 'frozen']);
    await expect(ask(command.ready.urls[1])).rejects.toMatchObject({ cause: { code: 'ECONNREFUSED' } });
    expect(await control(command, 'PUT', '/coordinators/1/start')).toEqual(DONE);
    expect(await states()).toEqual(['running', 'running', 'frozen']);
  });

  it('says 409 when something else has the port of a coordinator', async () => {
    const command = await run();
    await control(command, 'PUT', '/coordinators/0/stop');
    await taking(Number(new URL(String(command.ready.urls[0])).port), async () => {
      const conflict = refused(409, expect.stringContaining('EADDRINUSE'));
      expect(await control(command, 'PUT', '/coordinators/0/start')).toEqual(conflict);
      expect(await control(command, 'POST', '/reset')).toEqual(conflict);
    });
  });

  it('lists the requests, and what each has met', async () => {
    const command = await run();
    await control(command, 'PUT', '/trouble', { kind: 'gzip', times: 1 });
    await ask(command.ready.urls[0]);
    await ask(command.ready.urls[1], '/_api/version');
    expect(await control(command, 'GET', '/requests')).toMatchObject([
      200,
      [
        { coordinator: 0, method: 'GET', url: CLUSTER_ROUTE, trouble: 'gzip' },
        { coordinator: 1, method: 'GET', url: '/_api/version', trouble: null },
      ],
    ]);
  });

  it('makes everything as it was at the start', async () => {
    const command = await run();
    await control(command, 'PUT', '/trouble', { kind: 'silence' });
    await control(command, 'PUT', '/list', []);
    await control(command, 'PUT', '/role', '"agent"');
    await control(command, 'PUT', '/coordinators/1/stop');
    expect(await control(command, 'POST', '/reset')).toEqual(DONE);
    for (const url of command.ready.urls) expect(await ask(url)).toEqual([200, listing(command.ready.endpoints)]);
    expect(await control(command, 'GET', '/trouble')).toEqual([200, []]);
  });

  it.each([
    ['GET', '/', 404, 'GET / is not part of the control API'],
    ['PUT', '/coordinators/x/stop', 404, 'PUT /coordinators/x/stop is not part of the control API'],
    ['PUT', '/coordinators/0/kill', 404, 'PUT /coordinators/0/kill is not part of the control API'],
    ['POST', '/trouble', 404, 'POST /trouble is not part of the control API'],
  ])('answers %s %s with %i', async (method, path, status, message) => {
    const { ready } = await run();
    expect(await ask(ready.control, path, { method })).toEqual(refused(status, message));
  });

  it('answers a target without a path as any other', async () => {
    const { ready } = await run();
    const { status, body } = await askEndpoint(ready.control.replace('http', 'tcp'), { path: 'http://' });
    expect([status, JSON.parse(body)]).toEqual(refused(404, 'GET http:// is not part of the control API'));
  });

  /** The status of a request with headers that `fetch` does not let a test set. */
  const statusOf = (url: string, method: string, headers: Record<string, string>, body?: string): Promise<unknown> =>
    new Promise((resolve, reject) => {
      const request = httpRequest(url, { method, headers, agent: false }, (res) => {
        res.resume();
        resolve(res.statusCode);
      });
      request.on('error', reject).end(body);
    });

  it.each([
    ['a Host that leads here by a name of its own', 403, { Host: 'evil.example' }],
    ['a Host that begins like an address', 403, { Host: '127.0.0.1.evil.example' }],
    ['the Origin of a page', 403, { Origin: 'http://evil.example' }],
    ['the Origin of a sandboxed page', 403, { Origin: 'null' }],
    ['a body as a form sends it', 415, { 'Content-Type': 'application/x-www-form-urlencoded' }],
    ['a body as text, in chunks', 415, { 'Content-Type': 'text/plain', 'Transfer-Encoding': 'chunked' }],
    ['a body of no type', 415, {}],
  ])('refuses a request with %s', async (_, status, headers) => {
    const { ready } = await run();
    expect(await statusOf(`${ready.control}/trouble`, 'PUT', headers, '{"kind":"silence"}')).toBe(status);
    if (status === 403) {
      for (const [method = '', path = ''] of [
        ['POST', '/reset'],
        ['PUT', '/coordinators/0/stop'],
        ['GET', '/requests'],
      ]) {
        expect(await statusOf(ready.control + path, method, headers)).toBe(403);
      }
    }
    for (const url of ready.urls) expect((await ask(url))[0]).toBe(200);
  });

  it.each(['127.0.0.1', '[::1]', '192.0.2.1', 'localhost', 'LOCALHOST', 'db.example'])(
    'takes a request to %s, also from a page of its own',
    async (name) => {
      const { ready } = await run(['--host', '127.0.0.1', '--advertised-host', 'db.example']);
      const { port } = new URL(ready.control);
      const host = `${name}:${port}`;
      const headers = { Host: host, Origin: `http://${host}` };
      expect(await statusOf(`http://127.0.0.1:${port}/reset`, 'POST', headers)).toBe(204);
    },
  );

  it('stops with requests under way', async () => {
    const { terminal, ready, exitCode } = await run();
    const hanging = httpRequest(`${ready.control}/list`, { method: 'PUT', headers: { 'Content-Length': 5 } });
    hanging.on('error', () => undefined).write('[');
    await ask(ready.control, '/cluster');
    terminal.emit('SIGINT');
    expect(await exitCode).toBe(0);
  });
});

describe('The description of the control API', () => {
  const document = JSON.parse(readFileSync('testing.openapi.json', 'utf8')) as {
    info: { version: string };
    components: { schemas: { Trouble: { discriminator: { mapping: Record<string, string> } } } & Record<string, Kind> };
  };
  interface Kind {
    readonly required?: readonly string[];
    readonly properties?: Readonly<Record<string, { enum?: readonly unknown[]; const?: unknown; minimum?: number }>>;
  }

  it('has the version of the package', () => {
    const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string };
    expect(document.info.version).toBe(version);
  });

  const kinds = Object.entries(document.components.schemas.Trouble.discriminator.mapping);

  it.each(kinds)('names for %s the members that a trouble has, and values that it takes', async (kind, reference) => {
    const command = await run(['--ssl']);
    const { properties = {}, required } = document.components.schemas[String(reference.split('/').at(-1))] ?? {};
    expect(required?.[0]).toBe('kind');
    for (const [name, { enum: values, const: only, minimum }] of Object.entries(properties)) {
      for (const value of values ?? [only ?? minimum ?? valueOf(name)]) {
        const needed = (required ?? []).map((member): [string, unknown] => {
          const { enum: [first] = [], const: constant, minimum: least } = properties[member] ?? {};
          return [member, first ?? constant ?? least ?? valueOf(member)];
        });
        const trouble = { ...Object.fromEntries(needed), [name]: value };
        expect([kind, await control(command, 'PUT', '/trouble', trouble)]).toEqual([kind, DONE]);
      }
    }
    const allowed = Object.keys(properties).sort();
    const [, answer] = await control(command, 'PUT', '/trouble', { kind, nonsense: 1 });
    const [, names = ''] = /allowed: (.*)$/.exec((answer as { errorMessage: string }).errorMessage) ?? [];
    expect(names.split(', ').sort()).toEqual(allowed);
  });
});

/** A value for a member that the description does not list the values of. */
function valueOf(name: string): unknown {
  return { probability: 0.5, location: '/elsewhere', headers: { A: 'b' } }[name] ?? 'a text';
}
