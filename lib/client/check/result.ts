import type { DriverCheck } from '../../drivers/driver-checks.js';

/**
 * How far a connection to an endpoint gets from here. The first step that fails is the result:
 *
 * - `syntax`: a driver cannot read the endpoint.
 * - `dns`: the name of the host does not resolve.
 * - `refused`: nothing listens there, or there is no route.
 * - `timeout`: no connection, or no complete response, in time.
 * - `tls`: no TLS, or a certificate that is untrusted, expired, or for another name.
 * - `http`: no plain HTTP/1.1 (TLS, HTTP/2 only, or another protocol), or the response was cut short.
 * - `status`: the response is not a listing. 401 and 501 prove that a server is there.
 * - `differs`: it lists other endpoints.
 * - `ok`: it lists the same endpoints.
 */
export type EndpointResult = 'syntax' | 'dns' | 'refused' | 'timeout' | 'tls' | 'http' | 'status' | 'differs' | 'ok';

/** One endpoint of a listing, as seen from this machine. */
export interface EndpointCheck {
  /** As the listing has it. */
  readonly endpoint: string;
  readonly result: EndpointResult;
  /** Whether there was an HTTP/1.1 response: `ok`, `differs` and `status`. */
  readonly reachable: boolean;
  /** Whether a driver that takes the endpoint from the list can work with it: `ok` only. */
  readonly usable: boolean;
  /** How long the check took, in whole ms. */
  readonly ms: number;
  /** The result in words, one line. */
  readonly detail: string;
}

/**
 * What is odd about a list as a whole:
 *
 * - `empty`: an empty list; the Go driver fails on it.
 * - `wildcard`: an address such as `0.0.0.0`, where a driver reaches its own machine.
 * - `loopback`: a loopback address on the list of a server that was not reached through loopback.
 * - `private`: a private address on the list of a server with a public one.
 * - `mixed-schemes`: some endpoints with TLS, some without; the Java driver uses one of the two for all.
 * - `same-server`: one server under two names.
 * - `internal`: entries with an attribute `internal`; the Java driver 5.0 to 6.8.0 takes it for a host.
 * - `order`: two responses had the same endpoints in different orders.
 * - `host`: with the `Host` that the caller sends, the server has another list than without it.
 */
export type ListingWarningKind =
  'empty' | 'wildcard' | 'loopback' | 'private' | 'mixed-schemes' | 'same-server' | 'internal' | 'order' | 'host';

/** Something about a list that a person should know. */
export interface ListingWarning {
  readonly kind: ListingWarningKind;
  /** Whether a driver that is in use breaks on it. */
  readonly breaksDrivers: boolean;
  /** The warning in words, one line. */
  readonly message: string;
  /** The endpoints that it is about, as the listing has them. */
  readonly endpoints: readonly string[];
}

/** What {@link checkEndpoints} found. */
export interface ListingCheck {
  /** Whether every endpoint is usable, no warning breaks a driver, and no requested driver breaks. */
  readonly ok: boolean;
  /** The checked server, without user and password. */
  readonly url: string;
  readonly listing: 'cluster' | 'server';
  /** The database in the path; absent if there was none. */
  readonly database?: string;
  /** How long the listing took, in whole ms. */
  readonly ms: number;
  /** How many endpoints can be used from here. */
  readonly usable: number;
  /** One result for each entry of the list, in the order of the list. */
  readonly endpoints: readonly EndpointCheck[];
  readonly warnings: readonly ListingWarning[];
  /** What the requested drivers would do with this response; absent without `drivers`. */
  readonly drivers?: readonly DriverCheck[];
}
