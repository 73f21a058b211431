import type { Request } from 'express';

/** The query for a provider: one request for one listing. */
export abstract class EndpointQuery {
  /** `cluster`: the endpoints of all Coordinators. `server`: the endpoints that this server listens on. */
  abstract readonly listing: 'cluster' | 'server';
  /** The database that the request names, percent-decoded: `_system`, unless `clusterDatabases` is `any`. */
  abstract readonly database: string;
  /** The request of the host application, to read from. */
  abstract readonly req: Request;
  /**
   * Aborts when the router gives up: with a `TimeoutError` after `timeoutMs`, with an `AbortError` when the client disconnects. A getter,
   * which creates the signal on first read: a copy (`{ ...query }`) lacks it.
   */
  abstract get signal(): AbortSignal;
}

/** A list of endpoints: an array, a Set, a generator or any other iterable of strings, but not a string itself. */
export type EndpointList = Iterable<string> & object;

/**
 * Returns the current endpoints, or a promise of them.
 *
 * A provider may throw or reject: an http-error with a status from 400 to 599 keeps its status, anything else becomes a 500.
 */
export type EndpointProvider = (query: EndpointQuery) => EndpointList | PromiseLike<EndpointList>;
