import { once } from 'node:events';
import { createSrvDirectory } from 'express-endpoint-listing/dns-srv';
import { createEtcdDirectory, type LeasedDirectory, type Registration } from 'express-endpoint-listing/etcd';

/** Uses every event of a directory and of a registration, with the types that its listeners get. */
export async function follow(log: (line: string) => void): Promise<void> {
  const directory: LeasedDirectory = await createEtcdDirectory({ hosts: ['http://127.0.0.1:2379'] });
  const onChange = (endpoints: readonly string[]): void => {
    log(endpoints.join());
  };
  directory.on('change', onChange).once('stale', (reason) => {
    log(reason.message);
  });
  directory.on('live', () => {
    log('live');
  });
  directory.on('skipped', (refusals) => {
    log(refusals.map(({ message }) => message).join());
  });
  directory.prependListener('expired', () => {
    log('expired');
  });
  directory.off('change', onChange).removeListener('change', onChange).addListener('change', onChange);
  // @ts-expect-error: there is no such event.
  directory.on('gone', () => undefined);
  // @ts-expect-error: a listener for 'stale' gets an Error.
  directory.on('stale', (reason: number) => reason);

  const registration: Registration = await directory.register('tcp://10.0.0.1:8529');
  registration.on('lost', (reason) => {
    log(reason.message);
  });
  registration.prependOnceListener('restored', () => {
    log(String(registration.listenerCount('retry')));
  });
  await once(registration, 'restored');

  const polled = await createSrvDirectory({ name: '_arangodb._tcp.example.org' });
  polled.on('change', onChange);
}
