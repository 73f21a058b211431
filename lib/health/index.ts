export type {
  DirectoryEntry,
  DirectoryEvents,
  DirectoryStatus,
  Emitter,
  EndpointDirectory,
  EntryCheck,
} from '../directory/directory.js';
export { listAge } from '../directory/list-age.js';
export { createHealthDirectory } from './create-health-directory.js';
export type { HealthDirectory, HealthEvents } from './health-directory.js';
export type { TlsOptions } from '../options/tls.js';
export type { HealthDirectoryOptions } from './options.js';
