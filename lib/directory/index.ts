export { createPolledDirectory, type PolledDirectoryOptions } from './polled-directory.js';
export type * from './directory.js';
export { listAge } from './list-age.js';
export type { PollingOptions } from './options.js';
export {
  createTranslatedDirectory,
  type DirectoryRules,
  type TranslatedDirectory,
  type TranslatedDirectoryOptions,
} from './translated-directory.js';
export type { Endpoint } from '../endpoint/endpoint.js';
