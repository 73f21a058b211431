export type * from '../directory/directory.js';
export { listAge } from '../directory/list-age.js';
export { createSrvDirectory } from './create-srv-directory.js';
export type { SrvDirectoryOptions } from './options.js';
