export type { DirectoryEvents, DirectoryStatus, EndpointDirectory } from '../directory.js';
export { createSrvDirectory } from './create-srv-directory.js';
export type { SrvDirectoryOptions } from './options.js';
