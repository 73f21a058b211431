// A Coordinator as another process sees it: registers an endpoint, reports on stdout what happens to it, and takes it off
// the list on SIGTERM. Runs the built package.
import { createEtcdDirectory } from 'express-endpoint-listing/etcd';

const { hosts, endpoint, ttlSeconds } = JSON.parse(process.argv[2]);
const directory = await createEtcdDirectory({ hosts, connectTimeoutMs: 20_000 });
const registration = await directory.register(endpoint, { ttlSeconds });
for (const event of ['lost', 'restored']) registration.on(event, () => console.log(event));
process.once('SIGTERM', async () => {
  await directory.close();
  console.log('closed');
});
console.log('registered');
