import type { NextFunction, Request, Response } from 'express';

/** The database that serves all endpoint operations. */
export const SYSTEM_DATABASE = '_system';

/** The target of a request, from its URL below the mount path. */
export interface Target {
  readonly listing: 'cluster' | 'server';
  /** The name after `/_db/`, still percent-encoded; `undefined` without that prefix. */
  readonly rawDatabase: string | undefined;
  readonly hasTrailingSlash: boolean;
}

/** One request for one listing, on its way through the router. */
export interface Exchange {
  readonly req: Request;
  readonly res: Response;
  /** Passes the request, or an error, to the host application. */
  readonly next: NextFunction;
  readonly target: Target;
}

const CLUSTER: Target = Object.freeze({ listing: 'cluster', rawDatabase: undefined, hasTrailingSlash: false });
const SERVER: Target = Object.freeze({ listing: 'server', rawDatabase: undefined, hasTrailingSlash: false });

/**
 * Both routes, letter for letter, with one trailing slash allowed and the query string ignored. The optional first group is the
 * scheme, in any letter case, and the authority of the absolute form (RFC 9112, section 3.2.2), which every server must accept.
 *
 * Matched raw, without Express, which would decode the database name first and render its own error page for `%zz`.
 */
const TARGET =
  /^(?:[Hh][Tt][Tt][Pp][Ss]?:\/\/[^/?#]*)?(?:\/_db\/([^/?#]+))?\/_api\/(cluster\/endpoints|endpoint)(\/?)(?:\?|$)/;

/** The target of a URL, or `undefined` if its path is not one of the two routes. */
export function targetOf(url: string): Target | undefined {
  if (url === '/_api/cluster/endpoints') return CLUSTER;
  if (url === '/_api/endpoint') return SERVER;
  const match = TARGET.exec(url);
  if (match === null) return undefined;
  return {
    listing: match[2] === 'endpoint' ? 'server' : 'cluster',
    rawDatabase: match[1],
    hasTrailingSlash: match[3] === '/',
  };
}

const ORIGIN = /^https?:\/\/[^/?#]*/i;

/**
 * A segment `_db` and the name after it, in any spelling: a host ignores letter case by default, decodes what it matches, and may accept
 * `_db%2Fother` as the value of one parameter.
 */
const NAMED = /(?:^|\/|%2f)(?:_|%5f)(?:d|%[46]4)(?:b|%[46]2)(?=\/|%2f|$)(?:\/|%2f)*([^/]*)/gi;

/** The first database other than `_system` that a request names, or `_system`; `undefined` if one of its names cannot be decoded. */
export function databaseOf(
  { req, target: { rawDatabase } }: Exchange,
  databaseName: ((req: Request) => string) | undefined,
): string | undefined {
  const name = rawDatabase === undefined ? SYSTEM_DATABASE : decoded(rawDatabase);
  if (databaseName === undefined && hasConsumedNothing(req)) return name;

  const names = [...consumedPaths(req).flatMap(namesIn), name];
  if (names.includes(undefined)) return undefined;
  if (databaseName !== undefined) names.unshift(databaseName(req));
  // Every name is checked: no nesting, mounting or rewriting opens another database.
  return names.find((each) => each !== SYSTEM_DATABASE) ?? SYSTEM_DATABASE;
}

/** The last two are missing on a host without Express. */
type HostRequest = Pick<Request, 'url'> & Partial<Pick<Request, 'baseUrl' | 'originalUrl'>>;

function hasConsumedNothing({ url, originalUrl = url, baseUrl = '' }: HostRequest): boolean {
  return originalUrl === url && baseUrl === '';
}

/**
 * The paths that the host application has consumed. Express sets `baseUrl`; connect, middie and hand-written hosts only keep `originalUrl`. If
 * a host rewrites `url`, so that `originalUrl` no longer ends with it, it may have consumed all of that.
 */
function consumedPaths({ url, originalUrl = url, baseUrl = '' }: HostRequest): string[] {
  if (originalUrl === baseUrl + url) return [baseUrl];
  const original = originalUrl.replace(ORIGIN, '');
  const rest = url.replace(ORIGIN, '');
  const consumed = original.endsWith(rest) ? original.slice(0, -rest.length) : original;
  return [baseUrl, consumed.replace(/\?.*/s, '')];
}

function namesIn(path: string): (string | undefined)[] {
  // Most paths name none, and `search` costs less than `matchAll`.
  return path.search(NAMED) === -1 ? [] : Array.from(path.matchAll(NAMED), ([, name]) => decoded(name));
}

function decoded(name: string | undefined): string | undefined {
  try {
    if (!name) return undefined;
    return name.includes('%') ? decodeURIComponent(name) : name;
  } catch {
    return undefined;
  }
}
