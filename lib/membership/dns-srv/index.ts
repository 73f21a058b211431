export type { DirectoryEvents, DirectoryStatus, EndpointDirectory } from '../directory.js';
export { listAge } from '../list-age.js';
export { createSrvDirectory } from './create-srv-directory.js';
export type { SrvDirectoryOptions } from './options.js';
