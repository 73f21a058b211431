/**
 * Three Coordinators and an etcd on this machine: who is listed while one of them is killed, and another deregisters.
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

const SERVER = fileURLToPath(new URL('cli.js', import.meta.resolve('express-endpoint-listing')));
const running: ChildProcess[] = [];

/** Starts a program; resolves once it is ready. Its output is shown only if it ends before that. */
async function start(command: string, args: string[], isReady: (said: string) => unknown): Promise<ChildProcess> {
  const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'pipe'] });
  running.push(child);
  let said = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (text: Buffer) => (said += text.toString()));
  while (!(await isReady(said))) {
    if (child.exitCode !== null || child.signalCode !== null) throw new Error(`${command} has not started:\n${said}`);
    await sleep(50);
  }
  return child;
}

async function freePort(): Promise<string> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  return String(port);
}

async function startEtcd(folder: string): Promise<string> {
  const client = `http://127.0.0.1:${await freePort()}`;
  const peer = `http://127.0.0.1:${await freePort()}`;
  const urls = ['--listen-client-urls', client, '--advertise-client-urls', client, '--listen-peer-urls', peer];
  const cluster = ['--initial-advertise-peer-urls', peer, '--initial-cluster', `default=${peer}`];
  await start('etcd', ['--data-dir', folder, ...urls, ...cluster], () =>
    fetch(`${client}/health`).then(
      ({ ok }) => ok,
      () => false,
    ),
  );
  return client;
}

async function startCoordinator(agency: string): Promise<{ endpoint: string; server: ChildProcess }> {
  const endpoint = `tcp://127.0.0.1:${await freePort()}`;
  const role = ['--cluster.my-role', 'COORDINATOR', '--cluster.my-address', endpoint];
  const args = [SERVER, '--server.endpoint', endpoint, ...role, '--cluster.agency-endpoint', agency];
  return { endpoint, server: await start(process.execPath, args, (said) => said.includes('try: curl')) };
}

/** Asks a Coordinator until its listing has as many members, and prints it. */
async function printListing(of: string, members: number, what: string): Promise<void> {
  const since = performance.now();
  let listing = await fetchEndpoints(of);
  while (listing.length !== members) {
    await sleep(50);
    listing = await fetchEndpoints(of);
  }
  console.log(`${what}; after ${((performance.now() - since) / 1000).toFixed(1)} s ${of} lists:`);
  for (const endpoint of listing) console.log(`  ${endpoint}`);
}

async function show(folder: string): Promise<void> {
  const agency = await startEtcd(folder);
  const one = await startCoordinator(agency);
  const two = await startCoordinator(agency);
  const three = await startCoordinator(agency);
  await printListing(one.endpoint, 3, 'three coordinators started');
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
  // Once, so that a second Ctrl-C ends it at once.
  const stopped = Promise.race([once(process, 'SIGINT'), once(process, 'SIGTERM')]);
  try {
    await Promise.race([show(folder), stopped]);
  } finally {
    const alive = running.filter(({ exitCode, signalCode }) => exitCode === null && signalCode === null);
    const ended = alive.map((server) => once(server, 'exit'));
    for (const server of alive) server.kill('SIGKILL');
    await Promise.all(ended);
    await rm(folder, { recursive: true });
  }
}
