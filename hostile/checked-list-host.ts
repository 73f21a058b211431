import express from 'express';
import { createEndpointRouter, translateEndpoints } from 'express-endpoint-listing';
import { createHealthDirectory, type HealthDirectory } from 'express-endpoint-listing/health';
import { createAppServer } from 'express-endpoint-listing/listen';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';

/** What the host is told: to check the endpoints, not to check them, or only to say how it is. */
export type Order = 'check' | 'rest' | 'say';

/** The processor time of the process so far, in µs, and what it lists from. */
export interface State {
  readonly port: number;
  readonly cpu: number;
  readonly isChecking: boolean;
}

/**
 * A gateway in a process of its own: it lists three of the endpoints that its parent sends first, translated, and checks all of them
 * when it is told to.
 */
const [endpoints] = (await once(process, 'message')) as [readonly string[]];
const whole = Object.freeze([...endpoints]);
let health: HealthDirectory | undefined;

const rules = Object.fromEntries(
  whole.slice(0, 3).map((endpoint, index) => [endpoint, `ssl://db${String(index + 1)}.example:443`]),
);
const app = express().disable('x-powered-by');
app.use(
  createEndpointRouter({
    role: 'coordinator',
    endpoints: translateEndpoints(() => health?.provider() ?? whole, rules),
    onError: () => undefined,
  }),
);
const server = createAppServer(app).listen(0, '127.0.0.1');
await once(server, 'listening');
const { port } = server.address() as AddressInfo;

async function obey(order: Order): Promise<State> {
  if (order === 'check') {
    // What is asked is on this machine, and may have to wait for a processor: it is alive all the same.
    health = await createHealthDirectory({ endpoints: whole, connectTimeoutMs: 60_000, timeoutMs: 30_000 });
  }
  if (order === 'rest') {
    const closing = health;
    health = undefined;
    await closing?.close();
  }
  const { user, system } = process.cpuUsage();
  return { port, cpu: user + system, isChecking: health !== undefined };
}

process.on('message', (order: Order) => void obey(order).then((state) => process.send?.(state)));
process.once('disconnect', () => process.exit());
process.send?.(await obey('say'));
