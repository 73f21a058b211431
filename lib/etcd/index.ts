export type { DirectoryEvents, DirectoryStatus, Emitter, EndpointDirectory } from '../directory/directory.js';
export { listAge } from '../directory/list-age.js';
export { createEtcdDirectory } from './create-directory.js';
export type {
  LeasedDirectory,
  RegisterOptions,
  Registration,
  RegistrationEvents,
  RegistrationState,
} from './leased-directory.js';
export type { TlsOptions as EtcdTls } from '../options/tls.js';
export type { EtcdAuth, EtcdDirectoryOptions } from './options.js';
