import type { DriverCheck } from '../../drivers/driver-checks.js';

/**
 * How far the way to an endpoint leads from here. The first step that fails is the result:
 *
 * - `syntax`: a driver cannot read the endpoint.
 * - `dns`: the name of the host does not resolve.
 * - `refused`: nobody listens there, or there is no route.
 * - `timeout`: no connection, or no complete answer, in time.
 * - `tls`: no TLS there, or a certificate that is not trusted, has expired, or is for another name.
 * - `http`: no HTTP/1.1 there: another protocol, TLS behind `tcp://`, HTTP/2 only, or an end before the complete answer.
 * - `status`: it answers, but not with a listing. 401 and 501 prove that somebody is there.
 * - `differs`: it lists other endpoints.
 * - `ok`: it lists the same endpoints.
 */
export type EndpointResult = 'syntax' | 'dns' | 'refused' | 'timeout' | 'tls' | 'http' | 'status' | 'differs' | 'ok';

/** One endpoint of a listing, as seen from this machine. */
export interface EndpointCheck {
  /** As the listing has it. */
  readonly endpoint: string;
  readonly result: EndpointResult;
  /** Whether something answered in HTTP/1.1: `ok`, `differs` and `status`. */
  readonly reachable: boolean;
  /** Whether a driver that takes the endpoint from the list can work with it: `ok` only. */
  readonly usable: boolean;
  /** How long it took to know, in whole ms. */
  readonly ms: number;
  /** The result in words, one line. */
  readonly detail: string;
}

/**
 * What is odd about a list as a whole:
 *
 * - `empty`: nobody is on it; the Go driver fails at that.
 * - `wildcard`: an address such as `0.0.0.0`, where a driver reaches its own machine.
 * - `loopback`: an address of loopback on the list of a server that is not asked through loopback.
 * - `private`: a private address on the list of a server with a public one.
 * - `mixed-schemes`: some endpoints with TLS, some without; the Java driver uses one of the two for all.
 * - `same-server`: one server under two names.
 * - `internal`: entries with an attribute `internal`; the Java driver 5.0 to 6.8.0 takes it for a host.
 * - `order`: two answers had the same endpoints in different orders.
 */
export type ListingWarningKind =
  'empty' | 'wildcard' | 'loopback' | 'private' | 'mixed-schemes' | 'same-server' | 'internal' | 'order';

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
  /** Whether every endpoint is usable, no warning breaks a driver, and no driver that was asked for breaks. */
  readonly ok: boolean;
  /** The server that was asked, without user and password. */
  readonly url: string;
  readonly listing: 'cluster' | 'server';
  /** The database that was asked in; absent if the path named none. */
  readonly database?: string;
  /** How long the listing took, in whole ms. */
  readonly ms: number;
  /** How many endpoints can be used from here. */
  readonly usable: number;
  /** One result for each entry of the list, in the order of the list. */
  readonly endpoints: readonly EndpointCheck[];
  readonly warnings: readonly ListingWarning[];
  /** What the drivers that were asked for would do with this very answer; absent if none was. */
  readonly drivers?: readonly DriverCheck[];
}
