import type { Request } from 'express';
import { coordinatorEndpoint, serverEndpoint, readEachEndpoint } from '../endpoint/listable.js';
import { ROLE, roleOf, type ServerRole } from '../options/role.js';
import { callback, oneOf, optional, timeLimit } from '../options/rules.js';
import { readOptions, type OptionRule } from '../options/read-options.js';
import { ignoreRejection } from '../options/promises.js';
import type { EndpointProvider } from './provider.js';

/** The options of `createEndpointRouter`. Only `endpoints` is required; an explicit `undefined` is refused. */
export interface EndpointRouterOptions {
  /** The provider, or a fixed list, which is checked and copied at once. */
  readonly endpoints: EndpointProvider | readonly string[];
  /**
   * What this server is; only a `coordinator` answers the cluster route. A function is called for every request whose answer depends
   * on it: never for one that is refused before.
   * @defaultValue `'single'`
   */
  readonly role?: ServerRole | (() => ServerRole);
  /**
   * The database that a request names, decoded. For hosts whose URLs do not say it as `/_db/<name>/`: `req.params` are those of the
   * mount, as in `app.use('/tenants/:db', createEndpointRouter({ databaseName: (req) => req.params.db, ... }))`. A database that
   * the URL names as `/_db/<name>/` counts beside it.
   * @defaultValue the name behind `/_db/` in the URL, `_system` without one
   */
  readonly databaseName?: (req: Request) => string;
  /**
   * In which databases the cluster route answers.
   * @defaultValue `'system'`
   */
  readonly clusterDatabases?: 'system' | 'any';
  /**
   * The status for "this server is not a coordinator": 501 with errorNum 9, or 403 with errorNum 11 for the Java driver up to 6.6.0.
   * @defaultValue 501
   */
  readonly notCoordinatorStatus?: 501 | 403;
  /**
   * How many milliseconds the provider may take before the answer is a 503; `Infinity` sets no limit.
   * @defaultValue 5000
   */
  readonly timeoutMs?: number;
  /**
   * `respond`: the router answers its errors itself. `forward`: it hands them to the error handler of the host application.
   * @defaultValue `'respond'`
   */
  readonly errors?: 'respond' | 'forward';
  /**
   * Receives every 5xx of the router and, once per change, the endpoints that were skipped in a listing.
   * @defaultValue the error is printed to stderr, unless the setting `env` of the host application is `test`
   */
  readonly onError?: (error: Error, req: Request) => void;
}

/** The options with their defaults, checked and prepared: whatever a callback of the host application returns is checked as well. */
export interface Settings extends Required<Omit<EndpointRouterOptions, 'endpoints' | 'databaseName' | 'onError'>> {
  readonly provider: EndpointProvider;
  /** Whether this server is a coordinator now. Throws when a role function throws, or returns anything but a role. */
  readonly isCoordinator: () => boolean;
  /** Throws when the function of the host application throws, or returns anything but a string. */
  readonly databaseName: EndpointRouterOptions['databaseName'] | undefined;
  readonly onError: EndpointRouterOptions['onError'] | undefined;
}

const ENDPOINTS: OptionRule<EndpointRouterOptions['endpoints']> = {
  allowed: 'a function, as directory.provider is, or an array of endpoints',
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
export function routerSettings(options: EndpointRouterOptions): Settings {
  const { endpoints, databaseName, ...settings } = readOptions('createEndpointRouter', options, RULES);
  return Object.freeze({
    ...settings,
    provider: typeof endpoints === 'function' ? endpoints : fixedList(endpoints, settings.role),
    isCoordinator: roleCheck(settings.role),
    databaseName: databaseName === undefined ? undefined : checkedName(databaseName),
  });
}

/**
 * A provider of a list that never changes.
 *
 * @throws `TypeError` that names every bad endpoint at once. On a coordinator the list is the cluster listing too, so wildcard
 *   addresses and unix sockets are bad there; where the role is a function, only a request can tell.
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
