import type { AddressInfo } from 'node:net';
import { createHost } from './hosts/index.js';
import { InProcess } from './in-process.js';
import { slowCallsSoFar } from './lists.js';
import { profiled } from './profile.js';
import type { Variant } from './variant.js';

/** What the bench tells one of its processes to do. */
export type Order =
  | { readonly do: 'round'; readonly ms: number; readonly atLeast: number }
  | { readonly do: 'profile'; readonly ms: number }
  | { readonly do: 'listen' }
  | { readonly do: 'cpu' }
  | { readonly do: 'calls' };

const variant = JSON.parse(process.argv[2] ?? '') as Variant;
const server = await createHost(variant);
const instrument = await InProcess.open(server, variant);

async function obey(order: Order): Promise<unknown> {
  switch (order.do) {
    case 'round':
      return instrument.round(order.ms, order.atLeast);
    case 'profile':
      return profiled(() => instrument.run(order.ms));
    case 'listen':
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
      return (server.address() as AddressInfo).port;
    case 'cpu': {
      const { user, system } = process.cpuUsage();
      return user + system;
    }
    case 'calls':
      return slowCallsSoFar();
  }
}

process.on('message', (order: Order) => {
  void obey(order).then((result) => process.send?.(result));
});
process.on('disconnect', () => process.exit());
process.send?.('ready');
