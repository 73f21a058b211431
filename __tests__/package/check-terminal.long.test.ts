import { once } from 'node:events';
import { join } from 'node:path';
import { useListedServers } from '../support/check/listed-servers.js';
import { builtPackage } from '../support/package/built-package.js';
import { end, hasEnded, start, type Started } from '../support/process/child.js';
import { until } from '../support/until.js';

const servers = useListedServers();
let command: string;

beforeAll(async () => {
  command = `${process.execPath} ${join((await builtPackage()).folder, 'dist/esm/cli.js')} check`;
});

/** Runs the command on a pseudo-terminal of `script` (util-linux). */
function onTerminal(args: string, columns: number): Started {
  // With exec: a shell that stayed would take Ctrl-C as well, and some shells end with 130 whatever their command ends with.
  const size = `stty cols ${String(columns)} rows 30`;
  return run('script', ['-qefc', `${size}; exec ${command} ${args}`, '/dev/null']);
}

const run = (program: string, args: readonly string[]): Started =>
  start(program, args, { env: { ...process.env, TERM: 'xterm', NO_COLOR: '' } });

async function whole({ child, stdout }: Started): Promise<[exitCode: unknown, text: string]> {
  if (!hasEnded(child)) await once(child, 'close');
  return [child.exitCode, stdout()];
}

it('on a terminal of 40 columns, the last line is wrapped, and results have colours', async () => {
  const asked = await servers.plain();
  servers.list = [asked, await servers.gone(), 'tcp://db.example'];
  const [exitCode, text] = await whole(onTerminal(asked, 40));
  expect(exitCode).toBe(1);
  expect(text).toContain('\u001b[32mok');
  expect(text).toContain('1 of 3 can be used from here. A driver\r\nthat takes this list will fail on the\r\nothers.');
});

it.each(['', '--json '])(
  'in a pipe whose reader has gone, --watch %sends with its code and asks no more',
  async (option) => {
    let requests = 0;
    const asked: string = await servers.plain((req, res) => {
      requests += 1;
      servers.json(200, [{ endpoint: asked }, { endpoint: 'tcp://a' }])(req, res);
    });
    const pipe = `${command} --watch ${option}${asked} | head -1; echo "code \${PIPESTATUS[0]}"`;
    const [, text] = await whole(run('bash', ['-c', pipe]));
    expect(text).toMatch(/^[^\n]+\ncode 1\n$/);
    expect(requests).toBe(3);
  },
);

it.each(['--help', 'check --help', 'test-cluster --help'])('%s ends with 0 where its reader has gone', async (args) => {
  const all = command.replace(/ check$/, '');
  const [, text] = await whole(run('bash', ['-c', `${all} ${args} | true; echo "code \${PIPESTATUS[0]}"`]));
  expect(text).toBe('code 0\n');
});

it('on a terminal, a password is not echoed', async () => {
  const asked: string = await servers.plain((req, res) => {
    const isRoot = req.headers.authorization === 'Basic cm9vdDpvcGVuU2VzYW1l';
    servers.json(isRoot ? 200 : 401, [{ endpoint: asked }])(req, res);
  });
  const output = onTerminal(`--user root ${asked}`, 80);
  await until('the prompt', () => output.stdout().includes('Password of root: '));
  output.child.stdin?.write('openSesame\r');
  const [exitCode, text] = await whole(output);
  expect(exitCode).toBe(0);
  expect(text).toContain('The one endpoint can be used from here.');
  expect(text).not.toContain('openSesame');
});

it('on a terminal, --watch writes in place until Ctrl-C', async () => {
  const asked = await servers.plain();
  servers.list = [asked];
  const output = onTerminal(`--watch ${asked}`, 80);
  const reports = (): number => output.stdout().split('again every 2 s').length - 1;
  await until('two reports', () => reports() >= 2);
  output.child.stdin?.write('\u0003');
  const [exitCode, text] = await whole(output);
  expect(exitCode).toBe(0);
  expect(text.split('\u001b[2J')).toHaveLength(2);
  expect(text.split('\u001b[H').length).toBeGreaterThanOrEqual(3);
  await end(output.child);
});
