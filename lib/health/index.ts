export type { DirectoryEvents, DirectoryStatus, Emitter, EndpointDirectory } from '../directory/directory.js';
export { listAge } from '../directory/list-age.js';
export { createHealthDirectory } from './create-health-directory.js';
export type { EndpointHealth, HealthDirectory, HealthEvents, HealthStatus } from './health-directory.js';
export type { TlsOptions } from '../options/tls.js';
export type { HealthDirectoryOptions } from './options.js';
