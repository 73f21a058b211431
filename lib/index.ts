export { SYSTEM_DATABASE } from './router/contract.js';
export type {
  ClusterEndpointsBody,
  EndpointListBody,
  EndpointProvider,
  EndpointQuery,
  ErrorBody,
} from './router/contract.js';
export type { ServerRole } from './endpoint/role.js';
export type { Endpoint } from './endpoint/endpoint.js';
export { formatEndpoint } from './endpoint/format.js';
export { parseEndpoint } from './endpoint/parse.js';
export { EndpointSyntaxError } from './endpoint/syntax-error.js';
export { coalesce, type SharedEndpointQuery } from './router/coalesce.js';
export { createEndpointRouter } from './router/create-router.js';
export type { EndpointRouterOptions } from './router/options.js';
