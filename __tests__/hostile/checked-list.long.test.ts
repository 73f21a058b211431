import { fork } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import express from 'express';
import { createHealthDirectory } from '../../lib/health/index.js';
import { createEndpointRouter, translateEndpoints } from '../../lib/index.js';
import { KeepAliveClient } from '../support/hostile/keep-alive-client.js';
import { end } from '../support/process/child.js';

const NAMES = ['ssl://db1.example:443', 'ssl://db2.example:443', 'ssl://db3.example:443'];
const BODY = `{"error":false,"code":200,"endpoints":[${NAMES.map((name) => `{"endpoint":"${name}"}`).join()}]}`;

it('A list is right in every answer while all of its endpoints are checked, and after that', async () => {
  const servers = fork(join(__dirname, '../support/gateway/many-servers.mjs'), ['20'], { execArgv: [] });
  const [ports] = (await once(servers, 'message')) as [number[]];
  // In the order of a directory, in which text sorts.
  const endpoints = ports.map((port) => `tcp://127.0.0.1:${String(port)}`).sort();
  const rules = Object.fromEntries(NAMES.map((name, index) => [endpoints[index] ?? '', name]));
  const health = await createHealthDirectory({
    endpoints,
    intervalMs: 100,
    connectTimeoutMs: 60_000,
    timeoutMs: 30_000,
  });
  let isChecked = true;
  const router = createEndpointRouter({
    role: 'coordinator',
    endpoints: translateEndpoints(() => (isChecked ? health.provider() : endpoints), rules),
    onError: () => undefined,
  });
  const server = createServer(express().use(router)).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;

  const wrong: unknown[] = [];
  async function ask(client: KeepAliveClient): Promise<void> {
    for (let count = 0; count < 500; count += 1) {
      const answer = await client.ask('/_api/cluster/endpoints');
      if (answer.status !== 200 || answer.body !== BODY) wrong.push(answer);
    }
  }
  const clients = await KeepAliveClient.openAll(port, 32);
  await Promise.all(clients.map(ask));
  isChecked = false;
  await health.close();
  await Promise.all(clients.map(ask));
  expect(wrong.slice(0, 3)).toEqual([]);
  for (const client of clients) client.close();
  server.close();
  await end(servers);
});
