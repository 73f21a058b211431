export { createPolledDirectory, type PolledDirectoryOptions } from './create-polled-directory.js';
export type { DirectoryEvents, DirectoryStatus, Emitter, EndpointDirectory } from './directory.js';
export { listAge } from './list-age.js';
export type { PollingOptions } from './options.js';
