import type { Request } from 'express';

/** The database through which all endpoint operations are reachable (interface section 1). */
export const SYSTEM_DATABASE = '_system';

/** What a provider is asked: one request for one listing. */
export interface EndpointQuery {
  /** `cluster`: the endpoints of all Coordinators. `server`: the endpoints that this server listens on. */
  readonly listing: 'cluster' | 'server';
  /** The database that the request names, percent-decoded: `_system`, unless `clusterDatabases` is `any`. */
  readonly database: string;
  /** The request of the host application, to read from. */
  readonly req: Request;
  /** Aborts when the router has given up on the answer: with a `TimeoutError` after `timeout` ms, with an `AbortError` when the client has left. */
  readonly signal: AbortSignal;
}

/**
 * Tells which endpoints there are now: an array, a Set, a generator or any other iterable of strings, or a promise of one.
 *
 * A provider may throw or reject: an http-error with a status from 400 to 599 keeps its status, anything else becomes a 500.
 */
export type EndpointProvider = (query: EndpointQuery) => Iterable<string> | PromiseLike<Iterable<string>>;

/** Body of a 200 of `GET /_api/cluster/endpoints` (interface section 4.1). */
export interface ClusterEndpointsBody {
  readonly error: false;
  readonly code: 200;
  readonly endpoints: readonly { readonly endpoint: string }[];
}

/** Body of a 200 of `GET /_api/endpoint` (interface section 4.2). */
export type EndpointListBody = readonly { readonly endpoint: string }[];

/** Body of every error of both routes (behaviour section 5). */
export interface ErrorBody {
  /** The HTTP status. */
  readonly code: number;
  readonly error: true;
  readonly errorMessage: string;
  /** The number by which drivers tell errors apart: 4, 9, 11, 405, 503, 1229, 1230, or the provider's own. */
  readonly errorNum: number;
}
