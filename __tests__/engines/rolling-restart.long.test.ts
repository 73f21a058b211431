import { spawn, type ChildProcess } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describeWithEngines, engineFile } from '../support/etcd/engines.js';
import { builtPackage } from '../support/package/built-package.js';
import { end } from '../support/process/child.js';
import { freePort } from '../support/process/free-port.js';
import { useScratchFolder } from '../support/process/scratch-folder.js';
import { until } from '../support/until.js';

const PATH = '/_api/cluster/endpoints';
const LISTING = '{"error":false,"code":200,"endpoints":[{"endpoint":"tcp://db1.example:8529"}]}';
const REQUESTS = 5_000;

describeWithEngines('A rolling restart of three servers behind haproxy, which checks /ready', ['haproxy'], () => {
  const scratchFile = useScratchFolder();
  const children: ChildProcess[] = [];

  afterEach(() => Promise.all(children.map((child) => end(child))));

  function start(program: string, args: readonly string[]): ChildProcess {
    const child = spawn(program, args, { stdio: 'ignore' });
    children.push(child);
    return child;
  }

  /** Status and body of a request. */
  const ask = (port: number, path: string): Promise<string> =>
    fetch(`http://127.0.0.1:${String(port)}${path}`).then(
      async (response) => `${String(response.status)} ${await response.text()}`,
      String,
    );
  const isReady = async (status: number): Promise<boolean> => (await ask(status, '/ready')).startsWith('200');

  it('loses none of 5,000 requests', async () => {
    const cli = join((await builtPackage()).folder, 'dist/esm/cli.js');
    const [proxy, ...ports] = await Promise.all(Array.from({ length: 7 }, freePort));
    const members = [0, 1, 2].map((index) => ({ port: Number(ports[index]), status: Number(ports[index + 3]) }));
    const startMember = ({ port, status }: (typeof members)[number]): ChildProcess =>
      start(process.execPath, [
        ...[cli, '--server.endpoint', `tcp://127.0.0.1:${String(port)}`, '--cluster.my-role', 'COORDINATOR'],
        ...['--status.endpoint', `tcp://127.0.0.1:${String(status)}`, '--shutdown-delay', '3'],
        ...['--cluster.coordinator', 'tcp://db1.example:8529'],
      ]);
    const running = members.map((member) => ({ member, child: startMember(member) }));
    const servers = members.map(
      ({ port, status }, index) =>
        `  server m${String(index)} 127.0.0.1:${String(port)} check port ${String(status)} inter 200 fall 2 rise 2`,
    );
    const configuration = [
      'defaults',
      ...['  mode http', '  timeout connect 5s', '  timeout client 60s', '  timeout server 60s', '  timeout check 5s'],
      `listen listing\n  bind 127.0.0.1:${String(proxy)}\n  option httpchk GET /ready`,
      ...servers,
      '',
    ];
    writeFileSync(scratchFile('haproxy.cfg'), configuration.join('\n'));
    start(engineFile('haproxy'), ['-db', '-f', scratchFile('haproxy.cfg')]);
    await until('all are ready, and the proxy knows', async () => {
      const ready = await Promise.all(members.map(({ status }) => isReady(status)));
      return ready.every(Boolean) && (await ask(Number(proxy), PATH)) === `200 ${LISTING}`;
    });

    const answers = new Map<string, number>();
    let isOver = false;
    let count = 0;
    const client = async (): Promise<void> => {
      while (!isOver || count < REQUESTS) {
        const answer = await ask(Number(proxy), PATH);
        answers.set(answer, (answers.get(answer) ?? 0) + 1);
        count += 1;
      }
    };
    const clients = Array.from({ length: 8 }, client);
    for (const { child, member } of running) {
      await end(child, 'SIGTERM');
      expect(child.exitCode).toBe(0);
      startMember(member);
      await until('it is ready again', () => isReady(member.status));
      const before = count;
      // The proxy has seen it twice by then.
      await until('the proxy takes it back', () => count > before + 200);
    }
    isOver = true;
    await Promise.all(clients);
    expect([...answers.keys()]).toEqual([`200 ${LISTING}`]);
    expect(count).toBeGreaterThanOrEqual(REQUESTS);
  });
});
