export type * from '../directory/directory.js';
export { listAge } from '../directory/list-age.js';
export { createEtcdDirectory, type LeasedDirectory, type RegisterOptions } from './etcd-directory.js';
export type { Registration, RegistrationEvents, RegistrationState } from './registration.js';
export type { TlsOptions } from '../options/tls.js';
export type { EtcdAuth, EtcdDirectoryOptions } from './options.js';
