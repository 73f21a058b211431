import type { Request } from 'express';
import { inspect } from 'node:util';
import type { EndpointProvider, ServerRole } from '../contract.js';
import { withoutUserInfo } from '../endpoint/syntax-error.js';
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

/** The longest delay of a Node timer; a longer one fires at once. */
const MAX_TIMEOUT = 2_147_483_647;

const isFunction = (value: unknown): boolean => typeof value === 'function';

/** One line per option; the compiler complains when one is missing. */
const RULES: Readonly<Record<keyof EndpointRouterOptions, { allowed: string; accepts: (value: unknown) => boolean }>> =
  {
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
    timeout: {
      allowed: `a number of milliseconds above 0, up to ${String(MAX_TIMEOUT)}, or Infinity`,
      accepts: (value) => value === Infinity || (typeof value === 'number' && value > 0 && value <= MAX_TIMEOUT),
    },
    errors: { allowed: "'respond' or 'forward'", accepts: (value) => value === 'respond' || value === 'forward' },
    onError: { allowed: 'a function', accepts: isFunction },
  };

const NAMES = Object.keys(RULES);

/**
 * Checks the options once, so that a request only reads.
 *
 * @throws `TypeError` that names the option, the value and what is allowed.
 */
export function checkOptions(options: EndpointRouterOptions): Settings {
  assertPlainObject(options);
  for (const name of Reflect.ownKeys(options)) {
    if (!NAMES.includes(name as string)) {
      throw new TypeError(`unknown option ${inspect(name)}; allowed are ${NAMES.join(', ')}`);
    }
    const { allowed, accepts } = RULES[name as keyof EndpointRouterOptions];
    const value = options[name as keyof EndpointRouterOptions];
    if (!accepts(value)) throw new TypeError(`option ${String(name)} must be ${allowed}, got ${shownValue(value)}`);
  }
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

/** Only own properties count, so an object that inherits its options would lose them silently. */
function assertPlainObject(value: unknown): asserts value is object {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) {
    const prototype: unknown = Object.getPrototypeOf(value);
    if (prototype === null || Object.getPrototypeOf(prototype) === null) return;
  }
  throw new TypeError(`the options must be a plain object, got ${shownValue(value)}`);
}

function shownValue(value: unknown): string {
  const shown = typeof value === 'string' ? withoutUserInfo(value) : value;
  return inspect(shown, { depth: 0, maxStringLength: 100, breakLength: Infinity, customInspect: false });
}
