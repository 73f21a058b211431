import { shown } from '../text/shown.js';

/**
 * One endpoint description, taken apart.
 *
 * `tcp` and `ssl` have a host and a port, and no `path`; `unix` has a `path`, an empty host and port 0.
 */
export interface Endpoint {
  readonly scheme: 'tcp' | 'ssl' | 'unix';
  /** A host name in ASCII and lower case, a dotted IPv4 address, or an IPv6 address in RFC 5952 form without brackets. */
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

/** What each written scheme means; letter case is ignored. */
export const SCHEMES: ReadonlyMap<string, Endpoint['scheme']> = new Map([
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
    super(`${shown(text)} is not an endpoint: ${reason}; allowed schemes: ${[...SCHEMES.keys()].join(', ')}`);
    this.reason = reason;
  }
}

/** The canonical form of an endpoint that `parseEndpoint` made: nothing is left to check. */
export function endpointText({ scheme, host, port, path = '' }: Endpoint): string {
  if (scheme === 'unix') return `unix://${path}`;
  return `${scheme}://${host.includes(':') ? `[${host}]` : host}:${String(port)}`;
}
