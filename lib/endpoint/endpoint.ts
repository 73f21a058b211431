import { shown } from '../text/shown.js';

/**
 * A parsed endpoint.
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

export const DEFAULT_PORT = 8529;

export const MAX_PORT = 65_535;

interface SchemeTraits {
  /** Whether it has the path of a socket file instead of a host and a port. */
  readonly isSocketFile: boolean;
  /** Whether it means HTTP over TLS. */
  readonly isTls: boolean;
  /** The scheme that the single-server listing shows for it. */
  readonly shownAs: 'http' | 'https' | 'unix';
}

/** The table of schemes: code that binds, connects or lists an endpoint looks here, and never compares names. */
export const SCHEMES: Readonly<Record<Endpoint['scheme'], SchemeTraits>> = {
  tcp: { isSocketFile: false, isTls: false, shownAs: 'http' },
  ssl: { isSocketFile: false, isTls: true, shownAs: 'https' },
  unix: { isSocketFile: true, isTls: false, shownAs: 'unix' },
};

/** The meaning of each spelling; letter case is ignored. */
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

/** An invalid endpoint. The message has the text, the reason and the allowed schemes. */
export class EndpointSyntaxError extends Error {
  override readonly name = 'EndpointSyntaxError';

  /** What is wrong, without the text: `the port is outside 1 to 65535`. */
  readonly reason: string;

  constructor(text: unknown, reason: string) {
    super(`${shown(text)} is not an endpoint: ${reason}; allowed schemes: ${[...WRITTEN_SCHEMES.keys()].join(', ')}`);
    this.reason = reason;
  }
}

/** The canonical form of an endpoint from `parseEndpoint`, which needs no more checks. */
export function endpointText({ scheme, host, port, path = '' }: Endpoint): string {
  if (SCHEMES[scheme].isSocketFile) return `${scheme}://${path}`;
  return `${scheme}://${host.includes(':') ? `[${host}]` : host}:${String(port)}`;
}
