import { unescape } from 'node:querystring';
import { canonicalOrigin } from './host.js';
import { serverEndpoint } from './listable.js';
import { shown } from '../text/shown.js';

const ROUTES = { cluster: '/_api/cluster/endpoints', server: '/_api/endpoint' } as const;

/** The path of a listing, in a database, below where the router is mounted. */
export function listingPath(listing: keyof typeof ROUTES, database: string | undefined): string {
  return (database === undefined ? '' : `/_db/${encodeURIComponent(database)}`) + ROUTES[listing];
}

/** The address of a server, and the credentials for it. */
export interface ServerAddress {
  /** Origin and base path, without a closing slash, user-info, query or fragment: safe to show. */
  readonly base: string;
  /** The `Authorization` header for the URL's user and password. */
  readonly authorization: string | undefined;
}

/**
 * Reads an `http:` or `https:` URL, or an endpoint from a listing: `tcp://` means http, `ssl://` https.
 *
 * @throws EndpointSyntaxError if it is neither.
 * @throws TypeError if it has a query or a fragment, or is a unix socket.
 */
export function serverAddress(given: string | URL): ServerAddress {
  const url = serverUrl(given instanceof URL ? given.href : given);
  if (url.search !== '' || url.hash !== '') throw new TypeError('the url must have no query and no fragment');
  const origin = canonicalOrigin(url);
  if (origin === undefined) throw new TypeError(`the host of the url ${shown(url.href)} is no host name`);
  return { base: origin + url.pathname.replace(/\/$/, ''), authorization: basicAuthorization(url) };
}

function serverUrl(given: unknown): URL {
  if (typeof given !== 'string') throw new TypeError(`the url must be a string or a URL, got ${shown(given)}`);
  if (/^https?:\/\//i.test(given)) {
    if (!URL.canParse(given)) throw new TypeError(`the url ${shown(given)} is not valid`);
    return new URL(given);
  }
  const url = new URL(serverEndpoint(given));
  if (url.protocol === 'unix:') throw new TypeError(`the url ${shown(given)} is a unix socket: only TCP can be asked`);
  return url;
}

/** `fetch` refuses a URL with a user; this is the header of RFC 7617 instead. */
function basicAuthorization({ username, password }: URL): string | undefined {
  if (username === '' && password === '') return undefined;
  const user = unescape(username);
  if (user.includes(':')) throw new TypeError('the user in the url must not contain a colon');
  return `Basic ${Buffer.from(`${user}:${unescape(password)}`).toString('base64')}`;
}

/** What a request line may contain (RFC 9112, section 3.2): no blank, no control character, ASCII only. */
const REQUEST_PATH = /^\/[\x21-\x7e]*$/;

/** Whether a request line may contain this path, query included. */
export function isRequestPath(path: unknown): path is string {
  return typeof path === 'string' && REQUEST_PATH.test(path);
}
