import { spawn, type ChildProcess } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { composeArgs, containerArgs, deployFile } from '../support/deploy/deploy-files.js';
import { createNetwork, type Machine, type Network } from '../support/deploy/network.js';
import { Podman } from '../support/deploy/podman.js';
import { describeWithEngines, engineFile, type Engine } from '../support/etcd/engines.js';
import { end } from '../support/process/child.js';
import { until } from '../support/until.js';

const HARDENED = ['--read-only', '--cap-drop', 'ALL', '--security-opt', 'no-new-privileges'];
const COORDINATOR = ['--cluster.my-role', 'COORDINATOR'];
const DB1 = [...COORDINATOR, '--cluster.coordinator', 'tcp://db1.example:8529'];
/** Starting it may take longer than the 2 s that it gives to each server. */
const CHECK = ['check', '--timeout', '60000'];
/** A moment after it answers with its list. */
const isReady = (body: string): boolean => body.includes('"ready":true');
const LISTS_DB1 = '{"error":false,"code":200,"endpoints":[{"endpoint":"tcp://db1.example:8529"}]}';

describeWithEngines('In containers of podman,', ['podman', 'runc', 'ip', 'dnsmasq', 'etcd'], () => {
  let podman: Podman;
  let network: Network;
  let server: Machine;
  let client: Machine;
  let others: Machine[];
  const started: ChildProcess[] = [];

  beforeAll(async () => {
    podman = await Podman.withImage();
    network = await createNetwork(5);
    [client, server, ...others] = network.machines as [Machine, Machine, Machine, Machine, Machine];
  });
  afterEach(async () => {
    await Promise.all([podman.clear(), ...started.splice(0).map((child) => end(child))]);
  });
  afterAll(async () => {
    await podman.remove();
    await network.remove();
  });

  /** What a client on another machine gets, once there is a response that is good enough. */
  async function answered(path: string, port = 8529, isEnough = (body: string) => body !== ''): Promise<string> {
    let body = '';
    await until(`${path} is answered`, async () => {
      body = await client.exec('curl', '-s', `http://${server.address}:${String(port)}${path}`).catch(() => '');
      return isEnough(body);
    });
    return body;
  }

  /** Starts a program that does not end by itself, on a machine. */
  function startOn({ prefix: [ip, ...more] }: Machine, program: Engine, args: readonly string[]): void {
    started.push(spawn(ip, [...more, engineFile(program), ...args], { stdio: 'ignore' }));
  }

  const listOf = (...endpoints: readonly string[]): string =>
    JSON.stringify({ error: false, code: 200, endpoints: endpoints.map((endpoint) => ({ endpoint })) });
  const lists =
    (...endpoints: readonly string[]) =>
    (body: string): boolean =>
      body === listOf(...endpoints);

  it('the image is reached from outside with the arguments of a cluster alone, as a user without rights and with no file to write', async () => {
    await podman.start('listing', server, HARDENED, DB1);
    await expect(answered('/_api/cluster/endpoints')).resolves.toBe(LISTS_DB1);
    await until('it is healthy', () => podman.isHealthy('listing'));
    const asked = ['-p', 'process.getuid() + " " + fs.readdirSync("node_modules").includes("typescript")'];
    await expect(podman.do(['exec', 'listing', 'node', ...asked])).resolves.toMatchObject({ stdout: '65532 false\n' });
  });

  it('the image listens on what it was asked for and on no other port', async () => {
    await podman.start('listing', server, [], [...DB1, '--server.endpoint', 'tcp://0.0.0.0:8600']);
    await expect(answered('/_api/cluster/endpoints', 8600)).resolves.toBe(LISTS_DB1);
    await expect(server.exec('ss', '-Hltn')).resolves.toMatch(/^LISTEN\s.*0\.0\.0\.0:8600\s.*\n$/);
    // So another one beside it, on the same network, does not collide.
    await podman.start('other', server, [], DB1);
    await expect(answered('/_api/cluster/endpoints', 8529)).resolves.toBe(LISTS_DB1);
    await until('both are healthy', async () => (await podman.isHealthy('listing')) && podman.isHealthy('other'));
  });

  it('the image takes a file that says nothing of ports, and an environment that does', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'conf-'));
    try {
      const file = join(folder, 'listing.conf');
      writeFileSync(file, '[cluster]\nmy-role = COORDINATOR\ncoordinator = tcp://db1.example:8529\n');
      const options = [
        '--volume',
        `${file}:/listing.conf:ro`,
        '--env',
        'ENDPOINT_LISTING_STATUS_ENDPOINT=tcp://0.0.0.0:8530',
      ];
      await podman.start('listing', server, options, ['--configuration', '/listing.conf']);
      await expect(answered('/_api/cluster/endpoints')).resolves.toBe(LISTS_DB1);
      await answered('/ready', 8530, isReady);
      await until('it is healthy', () => podman.isHealthy('listing'));
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  it('the image is healthy while it waits for its registry, and not once it hangs', async () => {
    const registry = [
      '--cluster.agency-endpoint',
      'http://127.0.0.1:2379',
      '--cluster.my-address',
      'tcp://db1.example:8529',
    ];
    await podman.start('listing', server, HARDENED, [...COORDINATOR, ...registry, '--cluster.wait', '600']);
    await until('it waits', async () => (await podman.log('listing')).includes('retrying'));
    await until('it is healthy', () => podman.isHealthy('listing'));
    await podman.do(['pause', 'listing']);
    await expect(podman.isHealthy('listing')).resolves.toBe(false);
    await podman.do(['unpause', 'listing']);
  });

  it('the image stops at once when it is told to, with exit code 0', async () => {
    await podman.start('listing', server, HARDENED, DB1);
    await answered('/_api/cluster/endpoints');
    const exitCode = podman.do(['wait', 'listing']);
    await podman.do(['stop', '--time', '60', 'listing']);
    await expect(exitCode).resolves.toMatchObject({ stdout: '0\n' });
  });

  it('the image runs the other commands of the package', async () => {
    await expect(podman.run(client, [], ['--version'])).resolves.toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^\d+\.\d+\.\d+\n$/) as string,
    });
    const cluster = ['test-cluster', '--ports', '8529-8531', '--host', '0.0.0.0', '--advertised-host', server.address];
    await podman.start('listing', server, [], cluster);
    await answered('/_api/cluster/endpoints');
    await expect(podman.run(client, [], [...CHECK, `http://${server.address}:8529`])).resolves.toMatchObject({
      code: 0,
      stdout: expect.stringContaining('lists 3 coordinators') as string,
    });
    await expect(podman.run(client, [], ['check', `http://${client.address}:1`])).resolves.toMatchObject({ code: 2 });
  });

  it('deploy/kubernetes/gateway.yaml lists what clients outside can reach, and takes the dead off', async () => {
    const names = ['coordinator-0', 'coordinator-1'].map((pod) => `${pod}.coordinators.db.svc.cluster.local`);
    const inner = names.flatMap((name) => ['--cluster.coordinator', `tcp://${name}:8529`]);
    const members = others.slice(0, 2);
    for (const [index, member] of members.entries()) {
      await podman.start(`member${String(index)}`, member, [], [...COORDINATOR, ...inner]);
    }
    await podman.do(['tag', 'endpoint-listing', 'registry.example/endpoint-listing:latest']);
    // podman names no ports in a network of another's making, has no registry here, and starts all replicas on one machine.
    const hosts = members.map(({ address }, index) => `${address} ${String(names[index])}\n`).join('');
    const manifest = deployFile('kubernetes/gateway.yaml')
      .replace(/^ +ports:\n(?: +- \{ name: \w+, containerPort.*\n)+/m, '')
      .replaceAll('port: status }', 'port: 8530 }')
      .replace('replicas: 2', 'replicas: 1')
      .replace(/^ +image: .*\n/m, '$&          imagePullPolicy: Never\n');
    await podman.play(server, manifest, hosts);

    await expect(answered('/live', 8530)).resolves.toContain('"live":true');
    const both = ['ssl://db1.example:443', 'ssl://db2.example:443'];
    await answered('/_api/cluster/endpoints', 8529, lists(...both));
    await answered('/ready', 8530, isReady);
    await podman.do(['rm', '--force', '--time', '0', 'member1']);
    await answered('/_api/cluster/endpoints', 8529, lists('ssl://db1.example:443'));
  });

  it('the coordinators of deploy/kubernetes/cluster.yaml find each other by DNS, each once, with IPv6 alone', async () => {
    const pods = ['coordinator-0', 'coordinator-1', 'coordinator-2'];
    const names = pods.map((pod) => `${pod}.coordinators.default.svc.cluster.local`);
    // As CoreDNS answers for a headless Service whose pods have names.
    const records = names.flatMap((name, index) => [
      `--srv-host=_listing._tcp.coordinators.default.svc.cluster.local,${name},8529`,
      `--host-record=${name},fd77::${String(index + 2)}`,
    ]);
    const nowhere = ['--no-resolv', '--no-hosts', '--conf-file=/dev/null', '--pid-file', '--user=root'];
    startOn(client, 'dnsmasq', ['--keep-in-foreground', ...nowhere, ...records]);
    for (const [index, machine] of [server, ...others].slice(0, 3).entries()) {
      const args = containerArgs('kubernetes/cluster.yaml', 'StatefulSet', pods[index]);
      await podman.start(`pod${String(index)}`, machine, [...HARDENED, '--dns', 'fd77::1'], args);
    }
    const all = names.map((name) => `tcp://${name}:8529`);
    await answered('/_api/cluster/endpoints', 8529, lists(...all));
    await answered('/ready', 8530, isReady);
    const check = [...CHECK, `http://[fd77::2]:8529`, '--json'];
    const { stdout } = await podman.run(client, ['--dns', 'fd77::1'], check);
    expect(JSON.parse(stdout)).toMatchObject({ ok: true, warnings: [] });
  });

  it('the coordinators of deploy/compose.yaml find each other through etcd, and list what the host can use', async () => {
    const data = mkdtempSync(join(tmpdir(), 'etcd-'));
    const etcd = 'http://0.0.0.0:2379';
    startOn(client, 'etcd', ['--data-dir', data, '--listen-client-urls', etcd, '--advertise-client-urls', etcd]);
    try {
      const services = composeArgs();
      for (const [index, machine] of [server, ...others].slice(0, services.length).entries()) {
        const options = [...HARDENED, '--add-host', `etcd:${client.address}`];
        await podman.start(`coordinator${String(index)}`, machine, options, services[index] ?? []);
      }
      const all = ['tcp://127.0.0.1:8531', 'tcp://127.0.0.1:8532', 'tcp://127.0.0.1:8533'];
      await answered('/_api/cluster/endpoints', 8529, lists(...all));
      await podman.do(['stop', '--time', '60', 'coordinator2']);
      await answered('/_api/cluster/endpoints', 8529, lists(...all.slice(0, 2)));
    } finally {
      await Promise.all(started.splice(0).map((child) => end(child)));
      rmSync(data, { recursive: true });
    }
  });
});
