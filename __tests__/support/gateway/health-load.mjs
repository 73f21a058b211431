// Checks the endpoints that its parent sends, for as many seconds as the argument says, and sends back what that took. Needs --expose-gc.
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { createHealthDirectory } from 'express-endpoint-listing/health';

const seconds = Number(process.argv[2]);
const [endpoints] = await once(process, 'message');
const left = () => process.getActiveResourcesInfo().filter((name) => /^(?:Timeout|TCP.*Wrap)$/.test(name)).length;
const heap = () => {
  globalThis.gc();
  return process.memoryUsage().heapUsed / 1_000_000;
};

const before = left();
const health = await createHealthDirectory({ endpoints, connectTimeoutMs: 60_000 });
let down = 0;
health.on('down', () => (down += 1));
// The first interval spreads the checks.
await sleep(6000);
// Whoever was not given the processor during its first check is listed after the next one.
for (let waits = 0; waits < 30 && health.provider().length < endpoints.length; waits += 1) await sleep(1000);
const listedFirst = health.provider().length;
const heapBefore = heap();
const cpuBefore = process.cpuUsage();
const startedAt = performance.now();
await sleep(seconds * 1000);
const { user, system } = process.cpuUsage(cpuBefore);
const share = (user + system) / 1000 / (performance.now() - startedAt);
const growth = heap() - heapBefore;
const listedLast = health.provider().length;
await health.close();
await sleep(100);
process.send({ share, growth, down, listedFirst, listedLast, left: left() - before });
process.disconnect();
