export type * from '../directory/directory.js';
export { listAge } from '../directory/list-age.js';
export { createSrvDirectory } from './srv-directory.js';
export type { SrvDirectoryOptions } from './options.js';
