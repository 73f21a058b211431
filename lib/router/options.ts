import type { Request } from 'express';
import { coordinatorEndpoint, serverEndpoint, readEachEndpoint } from '../endpoint/listable.js';
import { ROLE, roleOf, type ServerRole } from '../options/role.js';
import { callback, oneOf, optional, timeLimit } from '../options/rules.js';
import { readOptions, type OptionRule } from '../options/read-options.js';
import { ignoreRejection } from '../options/promises.js';
import type { EndpointProvider } from './provider.js';

/** The options of `createEndpointRouter`. Only `endpoints` is required; an explicit `undefined` is refused. */
export interface EndpointRouterOptions {
  /** The provider, or a fixed list, which is checked and copied at startup. */
  readonly endpoints: EndpointProvider | readonly string[];
  /**
   * The role of this server; only a `coordinator` serves the cluster route. A function is called for every request whose response depends on
   * it, but not for one that is refused earlier.
   * @defaultValue `'single'`
   */
  readonly role?: ServerRole | (() => ServerRole);
  /**
   * Returns the database that a request names, decoded, if your URLs do not use `/_db/<name>/`. `req.params` are those of the mount path.
   * A database in the URL as `/_db/<name>/` is checked as well.
   * @example
   * ```ts
   * import express from 'express';
   * import { createEndpointRouter } from 'express-endpoint-listing';
   *
   * const databaseName = (req: express.Request) => String(req.params['db']);
   * express().use('/tenants/:db', createEndpointRouter({ endpoints: ['tcp://10.0.0.1:8529'], databaseName }));
   * ```
   * @defaultValue the name after `/_db/` in the URL, or `_system`
   */
  readonly databaseName?: (req: Request) => string;
  /**
   * The databases in which the cluster route is served: `_system` only, or any.
   * @defaultValue `'system'`
   */
  readonly clusterDatabases?: 'system' | 'any';
  /**
   * The status for "this server is not a coordinator": 501 with errorNum 9, or 403 with errorNum 11 for the Java driver up to 6.6.0.
   * @defaultValue 501
   */
  readonly notCoordinatorStatus?: 501 | 403;
  /**
   * Milliseconds that the provider may take before the response is a 503; `Infinity` sets no limit.
   * @defaultValue 5000
   */
  readonly timeoutMs?: number;
  /**
   * `respond`: the router sends its errors itself. `forward`: it passes them to the host application's error handler.
   * @defaultValue `'respond'`
   */
  readonly errors?: 'respond' | 'forward';
  /**
   * Receives every 5xx of the router and, once per change, the endpoints that were skipped in a listing.
   * @defaultValue the error is printed to stderr, unless the setting `env` of the host application is `test`
   */
  readonly onError?: (error: Error, req: Request) => void;
}

/** The options with defaults, checked and prepared. Results of the host application's callbacks are checked as well. */
export type Settings = ReturnType<typeof routerSettings>;

const ENDPOINTS: OptionRule<EndpointRouterOptions['endpoints']> = {
  allowed: 'a function or an array of endpoints',
  read: (value) =>
    typeof value === 'function' || Array.isArray(value) ? (value as EndpointRouterOptions['endpoints']) : undefined,
};
const RULES = {
  endpoints: ENDPOINTS,
  role: ROLE,
  databaseName: optional(callback<(req: Request) => string>()),
  clusterDatabases: oneOf(['system', 'any'], 'system'),
  notCoordinatorStatus: oneOf([501, 403], 501),
  timeoutMs: timeLimit(5000),
  errors: oneOf(['respond', 'forward'], 'respond'),
  onError: optional(callback<(error: Error, req: Request) => void>()),
};

/**
 * Reads the options once, so that a request only reads.
 *
 * @throws `TypeError` that names the option, the value and what is allowed.
 */
export function routerSettings(options: EndpointRouterOptions) {
  const { endpoints, databaseName, ...settings } = readOptions('createEndpointRouter', options, RULES);
  return Object.freeze({
    ...settings,
    provider: typeof endpoints === 'function' ? endpoints : fixedList(endpoints, settings.role),
    /** Whether this server is a coordinator now. Throws if a role function throws, or returns anything but a role. */
    isCoordinator: roleCheck(settings.role),
    /** Throws if the host application's function throws, or returns anything but a string. */
    databaseName: databaseName === undefined ? undefined : checkedName(databaseName),
  });
}

/**
 * A provider of a list that never changes.
 *
 * @throws `TypeError` that names every invalid endpoint. On a coordinator the list is also the cluster listing, so it may not contain
 *   wildcard addresses and unix sockets; if the role is a function, only a request can tell.
 */
function fixedList(endpoints: readonly string[], role: ServerRole | (() => ServerRole)): EndpointProvider {
  const check = role === 'coordinator' ? coordinatorEndpoint : serverEndpoint;
  const list = Object.freeze(Array.from(endpoints));
  readEachEndpoint('createEndpointRouter: option endpoints', list, check);
  return () => list;
}

function roleCheck(role: ServerRole | (() => ServerRole)): () => boolean {
  if (typeof role === 'string') return () => role === 'coordinator';
  return () => roleOf(role) === 'coordinator';
}

function checkedName(databaseName: (req: Request) => string): (req: Request) => string {
  return (req) => {
    const name: unknown = databaseName(req);
    if (typeof name === 'string') return name;
    ignoreRejection(name);
    throw new TypeError('databaseName returned something that is not a string', { cause: name });
  };
}
