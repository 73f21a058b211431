export type { DirectoryEvents, DirectoryStatus, EndpointDirectory } from '../directory.js';
export { listAge } from '../list-age.js';
export { createEtcdDirectory } from './create-directory.js';
export type {
  LeasedDirectory,
  RegisterOptions,
  Registration,
  RegistrationEvents,
  RegistrationState,
} from './leased-directory.js';
export type { EtcdAuth, EtcdDirectoryOptions, EtcdTls } from './options.js';
