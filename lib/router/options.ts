import type { Request } from 'express';
import type { EndpointProvider } from './contract.js';
import type { ServerRole } from '../endpoint/role.js';
import { readOptions, type OptionRule } from '../options/read-options.js';
import { callback, oneOf, optional, timeLimit } from '../options/rules.js';
import { fixedList } from './fixed-list.js';
import { isRole } from '../endpoint/role.js';

/** What a host application sets. Every option may be left out, except `endpoints`; none may be `undefined`. */
export interface EndpointRouterOptions {
  /** The provider, or a fixed list, which is checked and copied at once. */
  readonly endpoints: EndpointProvider | readonly string[];
  /**
   * What this server is; only a `coordinator` answers the cluster route. A function is asked on every request.
   * @defaultValue `'single'`
   */
  readonly role?: ServerRole | (() => ServerRole);
  /**
   * The database that a request names, decoded. For hosts whose URLs do not say it as `/_db/<name>/`.
   * @defaultValue the name behind `/_db/` in the URL, `_system` without one (behaviour, section 1)
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
  readonly timeout?: number;
  /**
   * `respond`: the router answers its errors itself. `forward`: it hands them to the error handler of the host application.
   * @defaultValue `'respond'`
   */
  readonly errors?: 'respond' | 'forward';
  /**
   * Receives every 5xx of the router and, once per change, the endpoints that were left out of a listing.
   * @defaultValue the error is printed to stderr, unless the setting `env` of the host application is `test`
   */
  readonly onError?: (error: Error, req: Request) => void;
}

/** The options with their defaults, checked; a fixed list has become a provider. */
export interface Settings extends Required<Omit<EndpointRouterOptions, 'endpoints' | 'databaseName' | 'onError'>> {
  readonly provider: EndpointProvider;
  readonly databaseName: EndpointRouterOptions['databaseName'] | undefined;
  readonly onError: EndpointRouterOptions['onError'] | undefined;
}

const ENDPOINTS: OptionRule<EndpointRouterOptions['endpoints']> = {
  allowed: 'a function or an array of endpoints',
  read: (value) =>
    typeof value === 'function' || Array.isArray(value) ? (value as EndpointRouterOptions['endpoints']) : undefined,
};
const ROLE: OptionRule<ServerRole | (() => ServerRole)> = {
  allowed: "'single', 'coordinator', 'dbserver', 'agent' or a function",
  fallback: 'single',
  read: (value) => (isRole(value) ? value : typeof value === 'function' ? (value as () => ServerRole) : undefined),
};
const RULES = {
  endpoints: ENDPOINTS,
  role: ROLE,
  databaseName: optional(callback<(req: Request) => string>()),
  clusterDatabases: oneOf(['system', 'any'], 'system'),
  notCoordinatorStatus: oneOf([501, 403], 501),
  timeout: timeLimit(5000),
  errors: oneOf(['respond', 'forward'], 'respond'),
  onError: optional(callback<(error: Error, req: Request) => void>()),
};

/**
 * Reads the options once, so that a request only reads.
 *
 * @throws `TypeError` that names the option, the value and what is allowed.
 */
export function routerSettings(options: EndpointRouterOptions): Settings {
  const { endpoints, ...settings } = readOptions('createEndpointRouter', options, RULES);
  const provider = typeof endpoints === 'function' ? endpoints : fixedList(endpoints, settings.role);
  return Object.freeze({ provider, ...settings });
}
