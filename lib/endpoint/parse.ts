import {
  DEFAULT_PORT,
  endpointText,
  EndpointSyntaxError,
  MAX_PORT,
  SCHEMES,
  WRITTEN_SCHEMES,
  type Endpoint,
} from './endpoint.js';
import { canonicalIPv6, canonicalName } from './host.js';

/** Longer than any host name (253 octets) or socket path (107 octets) with its scheme; bounds the work on hostile text. */
const MAX_CHARACTERS = 1024;
/** `sun_path` of Linux, 108 octets, without its closing NUL. */
const MAX_SOCKET_PATH_BYTES = 107;
/** Controls, invisible format characters, lone surrogates and every kind of blank. */
const UNPRINTABLE = /[\p{Cc}\p{Cf}\p{Cs}\p{Z}]/u;

/** An address (a path has slashes) that ends in port 0, without the port. */
const ANY_PORT = /^([^/]*:\/\/(?:\[[^\]]*\]|[^/:[\]]*)):0\/?$/;

/**
 * Parses an endpoint, and refuses what a client could not use.
 *
 * Accepts `<scheme>://<host>[:<port>]` with the schemes `tcp`, `ssl`, `http`, `https`, `http+tcp`, `http+ssl`, `http@tcp` and
 * `http@ssl`, and `<scheme>://<absolute path>` with `unix`, `http+unix` and `http@unix`. The letter case of the scheme is
 * ignored, and a missing port is 8529. The slash that `URL.href` appends to an address is dropped, and so is the final dot of an absolute
 * name.
 *
 * @throws {@link EndpointSyntaxError}, and nothing else, for any argument.
 */
export function parseEndpoint(text: string): Endpoint {
  const given: unknown = text;
  if (typeof given !== 'string') throw new EndpointSyntaxError(given, 'it is not a string');
  const refuse = (reason: string): never => {
    throw new EndpointSyntaxError(given, reason);
  };
  if (given.length > MAX_CHARACTERS) refuse(`it is longer than ${String(MAX_CHARACTERS)} characters`);
  if (UNPRINTABLE.test(given)) refuse('it contains a blank or a control character');

  const separator = given.indexOf('://');
  if (separator < 0) refuse('it has no "<scheme>://"');
  const scheme = WRITTEN_SCHEMES.get(given.slice(0, separator).toLowerCase()) ?? refuse('its scheme is unknown');
  const rest = given.slice(separator + '://'.length);
  return Object.freeze((SCHEMES[scheme].isSocketFile ? socketEndpoint : networkEndpoint)(scheme, rest, refuse));
}

/**
 * Like `parseEndpoint`, but allows port 0, with which the system chooses a port to bind.
 *
 * @throws EndpointSyntaxError, and nothing else.
 */
export function bindableEndpoint(text: string): Endpoint {
  const address = typeof text === 'string' ? ANY_PORT.exec(text)?.[1] : undefined;
  try {
    if (address !== undefined) return { ...parseEndpoint(address), port: 0 };
  } catch {
    // More than the port is wrong; the error must show the whole text.
  }
  return parseEndpoint(text);
}

/**
 * The canonical form of an endpoint: `tcp://host:8529`, `ssl://[::1]:8529`, `unix:///path`.
 *
 * `parseEndpoint(formatEndpoint(endpoint))` equals `endpoint` for every endpoint that {@link parseEndpoint} gave.
 *
 * @throws {@link EndpointSyntaxError} if the parts do not form an endpoint that {@link parseEndpoint} accepts.
 */
export function formatEndpoint(endpoint: Endpoint): string {
  return endpointText(parseEndpoint(endpointText(endpoint)));
}

type Refuse = (reason: string) => never;

function socketEndpoint(scheme: Endpoint['scheme'], path: string, refuse: Refuse): Endpoint {
  if (!path.startsWith('/')) refuse('the socket path is not absolute');
  if (path.endsWith('/')) refuse('the socket path ends in a slash');
  if (/[?#]/.test(path)) refuse('the socket path has a query or a fragment');
  if (Buffer.byteLength(path) > MAX_SOCKET_PATH_BYTES) {
    refuse(`the socket path is longer than ${String(MAX_SOCKET_PATH_BYTES)} bytes`);
  }
  return { scheme, host: '', port: 0, path };
}

function networkEndpoint(scheme: Endpoint['scheme'], rest: string, refuse: Refuse): Endpoint {
  const address = rest.endsWith('/') ? rest.slice(0, -1) : rest;
  if (address.includes('@')) refuse('it carries a user or a password');
  if (/[/?#\\]/.test(address)) refuse('it has a path, a query or a fragment');
  if (address.includes('%')) refuse('it has a zone id or a percent sign');

  if (address.startsWith('[')) {
    const close = address.indexOf(']');
    if (close < 0) refuse('its bracket is not closed');
    const host = canonicalIPv6(address.slice(1, close)) ?? refuse('the text in brackets is not an IPv6 address');
    const behind = address.slice(close + 1);
    if (behind !== '' && !behind.startsWith(':')) refuse('only a port may follow the bracket');
    return { scheme, host, port: portNumber(behind, refuse) };
  }

  const colon = address.indexOf(':');
  if (colon !== address.lastIndexOf(':')) refuse('an IPv6 address must stand in brackets');
  const name = colon < 0 ? address : address.slice(0, colon);
  if (name === '') refuse('the host is empty');
  const host = canonicalName(name) ?? refuse('the host is neither a host name nor a dotted IPv4 address');
  return { scheme, host, port: portNumber(address.slice(name.length), refuse) };
}

function portNumber(colonAndPort: string, refuse: Refuse): number {
  if (colonAndPort === '') return DEFAULT_PORT;
  const digits = colonAndPort.slice(1);
  if (digits === '') refuse('the port is empty');
  if (!/^[0-9]+$/.test(digits)) refuse('the port is not a decimal number');
  const port = Number(digits);
  if (port < 1 || port > MAX_PORT) refuse(`the port is outside 1 to ${String(MAX_PORT)}`);
  if (digits.startsWith('0')) refuse('the port has a leading zero');
  return port;
}
