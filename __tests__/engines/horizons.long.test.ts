import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createNetwork, type Machine, type Network } from '../support/deploy/network.js';
import { describeWithEngines } from '../support/etcd/engines.js';
import { builtPackage } from '../support/package/built-package.js';
import { end, start, type Started } from '../support/process/child.js';
import { useScratchFolder } from '../support/process/scratch-folder.js';
import { until } from '../support/until.js';

const MEMBERS = ['tcp://127.0.0.1:9001', 'tcp://127.0.0.1:9002'];
const NAMED = 'named.example';
const PATH = '/_api/cluster/endpoints';

describeWithEngines('A gateway with three horizons, in networks of its own,', ['ip'], () => {
  const scratchFile = useScratchFolder();
  const started: Started[] = [];
  let network: Network;
  let gateway: Machine, inner: Machine, outer: Machine, trusted: Machine, other: Machine;

  beforeAll(async () => {
    network = await createNetwork(5);
    [gateway, inner, outer, trusted, other] = network.machines as [Machine, Machine, Machine, Machine, Machine];
  });
  afterEach(async () => {
    for (const { child } of started.splice(0).reverse()) await end(child, 'SIGTERM');
  });
  afterAll(() => network.remove());

  const startOn = ({ prefix: [ip, ...more] }: Machine, program: string, ...args: string[]): Started => {
    const one = start(ip, [...more, program, ...args]);
    started.push(one);
    return one;
  };
  const listed = async (client: Machine, ...args: string[]): Promise<string[]> => {
    const [url = `http://[fd77::1]:8529${PATH}`] = args.splice(0, 1);
    const body = await client.exec('curl', '-s', '-g', '-m', '60', ...args, url);
    return [...body.matchAll(/"endpoint":"([^"]*)"/g)].map(([, endpoint]) => String(endpoint));
  };
  const byIPv4 = `http://10.77.0.1:8529${PATH}`;
  const through = ({ address }: Machine): string => `http://${address}:8080${PATH}`;

  async function startNginx(machine: Machine): Promise<void> {
    const folder = scratchFile(machine.name);
    const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
      (name) => `${name}_temp_path ${folder}-${name};`,
    );
    const proxied = `proxy_set_header X-Forwarded-For $proxy_add_x_forwarded_for; proxy_set_header Host $http_host;`;
    const server = `server { listen 8080; location / { proxy_pass http://10.77.0.1:8529; ${proxied} } }`;
    await writeFile(
      `${folder}.conf`,
      `pid ${folder}.pid; events {} http { access_log off; ${temporary.join(' ')} ${server} }`,
    );
    startOn(machine, 'nginx', '-c', `${folder}.conf`, '-g', 'daemon off; error_log stderr;');
    await until('nginx proxies', async () => (await listed(outer, through(machine)).catch(() => [])).length > 0);
  }

  it('gives each client its own list, before and after a member dies and a SIGHUP, and the inner one to nobody outside', async () => {
    const members = MEMBERS.map((endpoint) =>
      startOn(
        gateway,
        process.execPath,
        join(__dirname, '../support/gateway/coordinator-process.mjs'),
        endpoint.slice(-4),
      ),
    );
    const configure = (inside: string): Promise<void> =>
      writeFile(
        scratchFile('gateway.conf'),
        `[server]
        endpoint = tcp://[::]:8529
        endpoint = tcp://[::]:8530
        [http]
        trusted-proxy = ${trusted.address}
        [cluster]
        my-role = COORDINATOR
        ${MEMBERS.map((endpoint) => `coordinator = ${endpoint}`).join('\n')}
        translate = ${String(MEMBERS[0])}=tcp://outer1:1
        translate = ${String(MEMBERS[1])}=tcp://outer2:1
        health-check = true
        health-check-interval = 1
        [horizon.inside]
        network = ${inner.address}
        network = fd77::2
        ${inside}
        [horizon.named]
        host = ${NAMED}
        translate = *=tcp://named:1
        [horizon.port]
        endpoint = tcp://[::]:8530
        translate = *=tcp://port:1`,
      );
    await configure('translate-unmatched = keep');
    const { folder } = await builtPackage();
    const server = startOn(
      gateway,
      process.execPath,
      join(folder, 'dist/esm/cli.js'),
      '-c',
      scratchFile('gateway.conf'),
    );
    await until('all is healthy', async () => (await listed(outer).catch(() => [])).length === 2);
    await startNginx(trusted);
    await startNginx(other);

    const everyList = async () => ({
      inner: await listed(inner, byIPv4),
      inner6: await listed(inner),
      behindTrusted: await listed(inner, through(trusted)),
      behindOther: await listed(inner, through(other)),
      outer: await listed(outer, byIPv4),
      port: await listed(outer, `http://10.77.0.1:8530${PATH}`),
      named: await listed(outer, byIPv4, '-H', `Host: ${NAMED}`),
    });
    const expected = (inside: string[], outside: string[]) => ({
      inner: inside,
      inner6: inside,
      behindTrusted: inside,
      behindOther: outside,
      outer: outside,
      port: ['tcp://port:1'],
      named: ['tcp://named:1'],
    });
    const outside = ['tcp://outer1:1', 'tcp://outer2:1'];
    expect(await everyList()).toEqual(expected(MEMBERS, outside));

    const spellings = [
      '10.77.0.2',
      '::ffff:10.77.0.2',
      '::ffff:a4d:2',
      'fd77::2',
      'fd77::2%eth0',
      '[fd77::2]:1',
      '10.77.2',
      '"10.77.0.2"',
    ];
    for (const address of spellings) {
      const headers = ['X-Forwarded-For', 'X-Real-IP', 'Client-IP'].flatMap((name) => ['-H', `${name}: ${address}`]);
      const forwarded = ['-H', `Forwarded: for=${address};host=${inner.address}`, '-H', `X-Forwarded-Host: ${NAMED}`];
      for (const url of [byIPv4, through(other)]) {
        expect(await listed(outer, url, ...headers, ...forwarded)).toEqual(outside);
      }
      expect(await listed(outer, through(trusted), ...headers)).toEqual(outside);
    }
    const target = ['--request-target', `http://${NAMED}${PATH}`];
    expect(await listed(outer, byIPv4, ...target)).toEqual(outside);
    expect(await listed(outer, byIPv4, '-H', `Host: ${inner.address}`)).toEqual(outside);

    for (const { child } of members.slice(1)) await end(child);
    await until('the dead member is off the list', async () => (await listed(outer)).length === 1);
    expect(await everyList()).toEqual(expected(MEMBERS.slice(0, 1), outside.slice(0, 1)));

    await configure('translate = *=tcp://inside:1');
    server.child.kill('SIGHUP');
    await until('the rules are others', async () => String(await listed(inner)) === 'tcp://inside:1');
    expect(await everyList()).toEqual(expected(['tcp://inside:1'], outside.slice(0, 1)));
  });
});
