export type * from '../directory/directory.js';
export { listAge } from '../directory/list-age.js';
export { createUpstreamDirectory } from './upstream-directory.js';
export type { TlsOptions } from '../options/tls.js';
export type { UpstreamDirectoryOptions } from './options.js';
export type { ListingRoute } from '../options/listing-route.js';
