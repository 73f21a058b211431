export type * from '../directory/directory.js';
export { listAge } from '../directory/list-age.js';
export { createHealthDirectory, type HealthDirectory, type HealthEvents } from './health-directory.js';
export type { TlsOptions } from '../options/tls.js';
export type { HealthDirectoryOptions } from './options.js';
