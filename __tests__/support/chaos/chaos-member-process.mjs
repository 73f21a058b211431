// A member of the chaos test, in a process of its own: registers, and reports its state to its parent.
import { createEtcdDirectory } from 'express-endpoint-listing/etcd';

const [endpoint, ttlSeconds, ...hosts] = process.argv.slice(2);

const directory = await createEtcdDirectory({ hosts, connectTimeoutMs: 30_000 });
const registration = await directory.register(endpoint, { ttlSeconds: Number(ttlSeconds) });
const tell = () => process.send?.(registration.state);

registration.on('lost', tell);
process.on('message', tell);
process.once('SIGTERM', () => {
  void directory.close().then(() => process.exit(0));
});
// The parent is gone: so is the test.
process.once('disconnect', () => process.exit(1));
tell();
