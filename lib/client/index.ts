export { checkEndpoints } from './check/index.js';
export type {
  CheckEndpointsOptions,
  DriverCheck,
  DriverFinding,
  EndpointCheck,
  EndpointResult,
  ListingCheck,
  ListingWarning,
  ListingWarningKind,
} from './check/index.js';
export { fetchEndpoints } from './fetch-endpoints.js';
export { ListingError } from '../listing/listing-error.js';
export type { ListingErrorDetails, ListingErrorKind } from '../listing/listing-error.js';
export type { FetchEndpointsOptions } from './options.js';
export type { TlsOptions } from '../options/tls.js';
export { readEndpoints } from '../listing/read-endpoints.js';
export type { ListingRoute } from '../options/listing-route.js';
