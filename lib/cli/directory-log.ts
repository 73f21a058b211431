import type { EndpointDirectory } from '../dns-srv/index.js';
import type { Log } from './coordinators.js';

/** Says what happens to a directory. */
export function logDirectory(directory: EndpointDirectory, log: Log): void {
  directory.on('change', (endpoints) => {
    log(`coordinators: ${endpoints.join(' ') || 'none'}`);
  });
  directory.on('stale', (reason) => {
    log(`the list of coordinators is not confirmed any more: ${reason.message}`);
  });
  directory.on('live', () => {
    log('the list of coordinators is confirmed again');
  });
  directory.on('expired', () => {
    log('the list of coordinators is too old: the cluster route answers 503');
  });
  directory.on('skipped', (refusals) => {
    log(refusals.map(({ message }) => message).join('; '));
  });
}
