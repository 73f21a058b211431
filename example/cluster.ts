/**
 * Three Coordinators and an etcd on this machine: who is listed while one of them dies, and one says goodbye.
 *
 * Run with `npm run cluster`; needs etcd (`apt-get install -y etcd-server`).
 */
import { fetchEndpoints } from 'express-endpoint-listing/client';
import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

const SERVER = fileURLToPath(new URL('server/cli/bin.js', import.meta.resolve('express-endpoint-listing')));
const running: ChildProcess[] = [];

async function freePort(): Promise<number> {
  const server = createServer();
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  return port;
}

async function startEtcd(folder: string): Promise<string> {
  const [client, peer] = [await freePort(), await freePort()].map((port) => `http://127.0.0.1:${String(port)}`);
  if (client === undefined || peer === undefined) throw new Error('no port is free');
  const urls = ['--listen-client-urls', client, '--advertise-client-urls', client, '--listen-peer-urls', peer];
  const cluster = ['--initial-advertise-peer-urls', peer, '--initial-cluster', `default=${peer}`];
  running.push(spawn('etcd', ['--data-dir', folder, ...urls, ...cluster], { stdio: 'ignore' }));
  const isHealthy = (): Promise<boolean> =>
    fetch(`${client}/health`).then(
      ({ ok }) => ok,
      () => false,
    );
  while (!(await isHealthy())) await sleep(100);
  return client;
}

async function startCoordinator(agency: string): Promise<{ endpoint: string; server: ChildProcess }> {
  const endpoint = `tcp://127.0.0.1:${String(await freePort())}`;
  const role = [
    '--cluster.my-role',
    'COORDINATOR',
    '--cluster.my-address',
    endpoint,
    '--cluster.agency-endpoint',
    agency,
  ];
  const server = spawn(process.execPath, [SERVER, '--server.endpoint', endpoint, ...role], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  running.push(server);
  for await (const text of server.stdout.setEncoding('utf8')) if (String(text).includes('try: curl')) break;
  return { endpoint, server };
}

/** Asks a Coordinator until its listing has as many members, and prints it. */
async function printListing(of: string, members: number, what: string): Promise<void> {
  const since = performance.now();
  let listing = await fetchEndpoints(of);
  while (listing.length !== members) {
    await sleep(100);
    listing = await fetchEndpoints(of);
  }
  console.log(`${what}, after ${((performance.now() - since) / 1000).toFixed(1)} s ${of} lists:`);
  for (const endpoint of listing) console.log(`  ${endpoint}`);
}

async function show(folder: string): Promise<void> {
  const agency = await startEtcd(folder);
  const [one, two, three] = [
    await startCoordinator(agency),
    await startCoordinator(agency),
    await startCoordinator(agency),
  ];
  if (one === undefined || two === undefined || three === undefined) return;
  await printListing(one.endpoint, 3, 'three coordinators');
  three.server.kill('SIGKILL');
  await printListing(one.endpoint, 2, `${three.endpoint} killed`);
  two.server.kill('SIGTERM');
  await printListing(one.endpoint, 1, `${two.endpoint} stopped`);
}

if (spawnSync('etcd', ['--version']).error !== undefined) {
  console.error('etcd is missing; install it with: apt-get install -y etcd-server');
  process.exitCode = 1;
} else {
  const folder = await mkdtemp(join(tmpdir(), 'cluster-'));
  try {
    await show(folder);
  } finally {
    for (const server of running) server.kill('SIGKILL');
    await Promise.all(running.map((server) => server.exitCode ?? server.signalCode ?? once(server, 'exit')));
    await rm(folder, { recursive: true });
  }
}
