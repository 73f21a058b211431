import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { createHost } from './hosts/index.js';
import { parseVariant } from './variant.js';

/** The process of a server whose time is measured: it sends its port, and its processor time in microseconds when it is asked. */
const server = (await createHost(parseVariant(process.argv[2] ?? ''))).listen(0, '127.0.0.1');
await once(server, 'listening');
process.on('message', () => {
  const { user, system } = process.cpuUsage();
  process.send?.(user + system);
});
process.on('disconnect', () => process.exit());
process.send?.((server.address() as AddressInfo).port);
