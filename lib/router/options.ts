import type { Request } from 'express';
import type { EndpointProvider, ServerRole } from '../contract.js';
import { checkOptions, type OptionRules } from '../options/check-options.js';
import { TIME_LIMIT } from '../options/milliseconds.js';
import { fixedList } from './fixed-list.js';
import { isRole } from './role.js';

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

const isFunction = (value: unknown): boolean => typeof value === 'function';

const RULES: OptionRules<EndpointRouterOptions> = {
  endpoints: {
    allowed: 'a function or an array of endpoints',
    accepts: (value) => isFunction(value) || Array.isArray(value),
  },
  role: {
    allowed: "'single', 'coordinator', 'dbserver', 'agent' or a function",
    accepts: (value) => isRole(value) || isFunction(value),
  },
  databaseName: { allowed: 'a function', accepts: isFunction },
  clusterDatabases: { allowed: "'system' or 'any'", accepts: (value) => value === 'system' || value === 'any' },
  notCoordinatorStatus: { allowed: '501 or 403', accepts: (value) => value === 501 || value === 403 },
  timeout: TIME_LIMIT,
  errors: { allowed: "'respond' or 'forward'", accepts: (value) => value === 'respond' || value === 'forward' },
  onError: { allowed: 'a function', accepts: isFunction },
};

/**
 * Checks the options once, so that a request only reads.
 *
 * @throws `TypeError` that names the option, the value and what is allowed.
 */
export function settingsOf(options: EndpointRouterOptions): Settings {
  checkOptions(options, RULES);
  if (!Object.hasOwn(options, 'endpoints')) {
    throw new TypeError(`option endpoints is missing; it must be ${RULES.endpoints.allowed}`);
  }

  const { endpoints, role = 'single' } = options;
  return Object.freeze({
    provider: typeof endpoints === 'function' ? endpoints : fixedList(endpoints, role),
    role,
    databaseName: options.databaseName,
    clusterDatabases: options.clusterDatabases ?? 'system',
    notCoordinatorStatus: options.notCoordinatorStatus ?? 501,
    timeout: options.timeout ?? 5000,
    errors: options.errors ?? 'respond',
    onError: options.onError,
  });
}
