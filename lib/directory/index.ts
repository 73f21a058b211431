export { createPolledDirectory, type PolledDirectoryOptions } from './create-polled-directory.js';
export type {
  DirectoryEntry,
  DirectoryEvents,
  DirectoryStatus,
  Emitter,
  EndpointDirectory,
  EntryCheck,
} from './directory.js';
export { listAge } from './list-age.js';
export type { PollingOptions } from './options.js';
export {
  createTranslatedDirectory,
  type DirectoryRules,
  type TranslatedDirectory,
  type TranslatedDirectoryOptions,
} from './translated-directory.js';
export type { Endpoint } from '../endpoint/endpoint.js';
