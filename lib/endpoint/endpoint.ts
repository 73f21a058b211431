import { shown } from '../text/shown.js';

/**
 * One endpoint description, taken apart.
 *
 * `tcp` and `ssl` have a host and a port, and no `path`; `unix` has a `path`, an empty host and port 0.
 */
export interface Endpoint {
  readonly scheme: 'tcp' | 'ssl' | 'unix';
  /** A host name in ASCII and lower case, without a final dot, a dotted IPv4 address, or an IPv6 address in RFC 5952 form without brackets. */
  readonly host: string;
  /** 1 to 65535; 0 for `unix`. */
  readonly port: number;
  /** `unix` only: the absolute path of the socket file. */
  readonly path?: string;
}

/** The port of an endpoint that names none. */
export const DEFAULT_PORT = 8529;

/** The highest port there is. */
export const MAX_PORT = 65_535;

/** What everybody else needs to know of a scheme. */
interface SchemeTraits {
  /** Whether it is the path of a socket file, and no host and port. */
  readonly isSocketFile: boolean;
  /** Whether HTTP is spoken over TLS there. */
  readonly isTls: boolean;
  /** The scheme that the single-server listing shows for it. */
  readonly shownAs: 'http' | 'https' | 'unix';
}

/** The one table of schemes: whoever binds, connects or lists an endpoint asks here what its scheme is, and not for its name. */
export const SCHEMES: Readonly<Record<Endpoint['scheme'], SchemeTraits>> = {
  tcp: { isSocketFile: false, isTls: false, shownAs: 'http' },
  ssl: { isSocketFile: false, isTls: true, shownAs: 'https' },
  unix: { isSocketFile: true, isTls: false, shownAs: 'unix' },
};

/** What each written scheme means; letter case is ignored. */
export const WRITTEN_SCHEMES: ReadonlyMap<string, Endpoint['scheme']> = new Map([
  ['tcp', 'tcp'],
  ['ssl', 'ssl'],
  ['http', 'tcp'],
  ['https', 'ssl'],
  ['http+tcp', 'tcp'],
  ['http+ssl', 'ssl'],
  ['http@tcp', 'tcp'],
  ['http@ssl', 'ssl'],
  ['unix', 'unix'],
  ['http+unix', 'unix'],
  ['http@unix', 'unix'],
]);

/** A text that is not an endpoint description. The message names the text, the reason and the allowed schemes. */
export class EndpointSyntaxError extends Error {
  override readonly name = 'EndpointSyntaxError';

  /** What is wrong, without the text: `the port is outside 1 to 65535`. */
  readonly reason: string;

  constructor(text: unknown, reason: string) {
    super(`${shown(text)} is not an endpoint: ${reason}; allowed schemes: ${[...WRITTEN_SCHEMES.keys()].join(', ')}`);
    this.reason = reason;
  }
}

/** The canonical form of an endpoint that `parseEndpoint` made: nothing is left to check. */
export function endpointText({ scheme, host, port, path = '' }: Endpoint): string {
  if (SCHEMES[scheme].isSocketFile) return `${scheme}://${path}`;
  return `${scheme}://${host.includes(':') ? `[${host}]` : host}:${String(port)}`;
}
