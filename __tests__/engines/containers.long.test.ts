import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createNetwork, type Machine, type Network } from '../support/deploy/network.js';
import { Podman } from '../support/deploy/podman.js';
import { describeWithEngines } from '../support/etcd/engines.js';
import { until } from '../support/until.js';

const HARDENED = ['--read-only', '--cap-drop', 'ALL', '--security-opt', 'no-new-privileges'];
const COORDINATOR = ['--cluster.my-role', 'COORDINATOR'];
const DB1 = [...COORDINATOR, '--cluster.coordinator', 'tcp://db1.example:8529'];
const LISTS_DB1 = '{"error":false,"code":200,"endpoints":[{"endpoint":"tcp://db1.example:8529"}]}';

describeWithEngines('The image of deploy/Dockerfile, run by podman', ['podman', 'runc', 'ip'], () => {
  let podman: Podman;
  let network: Network;
  let server: Machine;
  let client: Machine;

  beforeAll(async () => {
    podman = await Podman.withImage();
    network = await createNetwork(2);
    [server, client] = network.machines as [Machine, Machine];
  });
  afterEach(() => podman.do(['rm', '--all', '--force', '--time', '0']));
  afterAll(async () => {
    await podman.remove();
    await network.remove();
  });

  /** What a client on another machine gets, once there is a response. */
  async function answered(path: string, port = 8529): Promise<string> {
    let body = '';
    await until(`${path} is answered`, async () => {
      body = await client
        .exec('curl', '-s', `http://${server.address}:${String(port)}${path}`)
        .catch(async () => ((await podman.isRunning('listing')) ? '' : await podman.log('listing')));
      return body !== '';
    });
    return body;
  }

  it('is reached from outside with the arguments of a cluster alone, as a user without rights and with no file to write', async () => {
    await podman.start('listing', server, HARDENED, DB1);
    await expect(answered('/_api/cluster/endpoints')).resolves.toBe(LISTS_DB1);
    await until('it is healthy', () => podman.isHealthy('listing'));
    const asked = ['-p', 'process.getuid() + " " + fs.readdirSync("node_modules").includes("typescript")'];
    await expect(podman.do(['exec', 'listing', 'node', ...asked])).resolves.toMatchObject({ stdout: '65532 false\n' });
  });

  it('listens on what it was asked for and on no other port', async () => {
    await podman.start('listing', server, [], [...DB1, '--server.endpoint', 'tcp://0.0.0.0:8600']);
    await expect(answered('/_api/cluster/endpoints', 8600)).resolves.toBe(LISTS_DB1);
    await expect(server.exec('ss', '-Hltn')).resolves.toMatch(/^LISTEN\s.*0\.0\.0\.0:8600\s.*\n$/);
    // So another one beside it, on the same network, does not collide.
    await podman.start('other', server, [], DB1);
    await expect(answered('/_api/cluster/endpoints', 8529)).resolves.toBe(LISTS_DB1);
    await until('both are healthy', async () => (await podman.isHealthy('listing')) && podman.isHealthy('other'));
  });

  it('takes a file that says nothing of ports, and an environment that does', async () => {
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
      await expect(answered('/ready', 8530)).resolves.toContain('"ready":true');
      await expect(podman.isHealthy('listing')).resolves.toBe(true);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  it('is healthy while it waits for its registry, and not once it hangs', async () => {
    const registry = [
      '--cluster.agency-endpoint',
      'http://127.0.0.1:2379',
      '--cluster.my-address',
      'tcp://db1.example:8529',
    ];
    await podman.start('listing', server, HARDENED, [...COORDINATOR, ...registry, '--cluster.wait', '600']);
    await until('it waits', async () => (await podman.log('listing')).includes('trying again'));
    await expect(podman.isHealthy('listing')).resolves.toBe(true);
    await podman.do(['pause', 'listing']);
    await expect(podman.isHealthy('listing')).resolves.toBe(false);
    await podman.do(['unpause', 'listing']);
  });

  it('stops at once when it is told to, with exit code 0', async () => {
    await podman.start('listing', server, HARDENED, DB1);
    await answered('/_api/cluster/endpoints');
    const exitCode = podman.do(['wait', 'listing']);
    await podman.do(['stop', '--time', '60', 'listing']);
    await expect(exitCode).resolves.toMatchObject({ stdout: '0\n' });
  });

  it('runs the other commands of the package', async () => {
    await expect(podman.run(client, [], ['--version'])).resolves.toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^\d+\.\d+\.\d+\n$/) as string,
    });
    const cluster = ['test-cluster', '--ports', '8529-8531', '--host', '0.0.0.0', '--advertised-host', server.address];
    await podman.start('listing', server, [], cluster);
    await answered('/_api/cluster/endpoints');
    await expect(podman.run(client, [], ['check', `http://${server.address}:8529`])).resolves.toMatchObject({
      code: 0,
      stdout: expect.stringContaining('lists 3 coordinators') as string,
    });
    await expect(podman.run(client, [], ['check', `http://${client.address}:1`])).resolves.toMatchObject({ code: 2 });
  });
});
