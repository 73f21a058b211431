export type * from '../directory/directory.js';
export { listAge } from '../directory/list-age.js';
export { createEtcdDirectory } from './etcd-directory.js';
export type { LeasedDirectory, RegisterOptions, Registration, RegistrationEvents, RegistrationState } from './types.js';
export type { TlsOptions } from '../options/tls.js';
export type { EtcdAuth, EtcdDirectoryOptions } from './options.js';
