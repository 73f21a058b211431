import { connect, isIP, type Socket } from 'node:net';
import { connect as tlsConnect } from 'node:tls';
import { endpointText, SCHEMES, type Endpoint } from '../endpoint/endpoint.js';
import type { TlsSettings } from '../options/tls.js';
import { lookupWithin, notAllowed, type AddressFilter } from './address-filter.js';

/** One check of one endpoint: resolves when it is healthy, rejects with the reason when it is not. */
export type Check = (endpoint: Endpoint, signal: AbortSignal) => Promise<void>;

interface Connecting {
  readonly tls: TlsSettings | undefined;
  readonly allow: AddressFilter | undefined;
}

/** A server must come to the status of its answer within this many characters. */
const MAX_CHARACTERS = 16_384;
/** Of answers before the answer, `103 Early Hints` for example (RFC 9110, section 15.2). */
const MAX_INTERIM = 20;
const INTERIM = /^HTTP\/1\.[01] 1(?!01)\d\d[^]*?\r\n\r\n/;
/** After 101, a switch to another protocol, comes no other. */
const STATUS = /^HTTP\/1\.[01] (101|[2-9]\d\d)[ \r]/;

/** Connecting is enough; for `ssl`, with a complete handshake. */
export function tcpCheck(connecting: Connecting): Check {
  return (endpoint, signal) =>
    withSocket(endpoint, connecting, signal, (socket, end) => {
      socket.once(SCHEMES[endpoint.scheme].isTls ? 'secureConnect' : 'connect', end);
    });
}

/**
 * A GET that is answered with a status below 500, over a connection of its own.
 *
 * Written on the socket: `node:http` takes twice the time of the processor, and 1,000 endpoints are checked 200 times a second.
 * Nothing is read but the status, so that no answer, however long or odd, has a meaning.
 */
export function httpCheck({
  path,
  headers,
  ...connecting
}: Connecting & { readonly path: string; readonly headers: () => Promise<Headers> }): Check {
  return async (endpoint, signal) => {
    const lines = headerLines(await headers());
    const request = `GET ${path} HTTP/1.1\r\nHost: ${hostAndPort(endpoint)}\r\nConnection: close\r\n${lines}\r\n`;
    await withSocket(endpoint, connecting, signal, (socket, end) => {
      let head = '';
      let characters = 0;
      let interim = 0;
      socket.setEncoding('latin1');
      socket.on('data', (text: string) => {
        characters += text.length;
        head += text;
        for (; interim <= MAX_INTERIM && INTERIM.test(head); interim += 1) head = head.replace(INTERIM, '');
        const status = STATUS.exec(head)?.[1];
        if (interim > MAX_INTERIM) end(new Error(`more than ${String(MAX_INTERIM)} answers before the answer`));
        else if (status === undefined) {
          if (characters > MAX_CHARACTERS || !isBeginning(head)) end(new Error('the answer is not HTTP/1.1'));
        } else if (status !== '101' && Number(status) < 500) end();
        else end(new Error(`the answer is ${status}`));
      });
      socket.write(request, 'latin1');
    });
  };
}

function isBeginning(head: string): boolean {
  return 'HTTP/1.'.startsWith(head.slice(0, 7));
}

function hostAndPort(endpoint: Endpoint): string {
  return endpointText(endpoint).slice(`${endpoint.scheme}://`.length);
}

function headerLines(headers: Headers): string {
  return Array.from(headers, ([name, value]) => `${name}: ${value}\r\n`).join('');
}

/** Runs a check on a new socket, which is closed when the check ends, however it ends: well, or with a reason. */
function withSocket(
  endpoint: Endpoint,
  { tls, allow }: Connecting,
  signal: AbortSignal,
  use: (socket: Socket, end: (reason?: Error) => void) => void,
): Promise<void> {
  signal.throwIfAborted();
  const { scheme, host, port } = endpoint;
  // An address needs no lookup, so it is looked at here.
  if (allow !== undefined && isIP(host) !== 0 && !allow(host, endpoint)) throw notAllowed(host);
  const target = { host, port, ...(allow !== undefined && { lookup: lookupWithin(allow, endpoint) }) };
  const servername = tls?.servername ?? (isIP(host) === 0 ? host : '');
  return new Promise((resolve, reject) => {
    const socket = SCHEMES[scheme].isTls ? tlsConnect({ ...target, ...tls, servername }) : connect(target);
    const end = (reason?: Error): void => {
      socket.destroy();
      if (reason === undefined) resolve();
      else reject(reason);
    };
    signal.addEventListener('abort', () => end(signal.reason as Error));
    socket.on('error', end);
    socket.once('end', () => end(new Error('the connection was closed without an answer')));
    use(socket, end);
  });
}
