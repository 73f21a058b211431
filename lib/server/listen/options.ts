import { shown } from '../../endpoint/syntax-error.js';
import { sslFault, type SslOptions } from './ssl-options.js';

/** How {@link listenOn} listens. Every option may be left out; none may be `undefined`. */
export interface ListenOptions {
  /** Needed when one of the endpoints has the scheme `ssl`, and read only then. */
  readonly ssl?: SslOptions;
  /** Aborting it stops the binding, or closes what is bound. */
  readonly signal?: AbortSignal;
  /**
   * How many milliseconds `close()` lets running requests go on before it cuts their connections; `Infinity`: until they
   * are done.
   * @defaultValue 10000
   */
  readonly closeTimeout?: number;
}

const DEFAULT_CLOSE_TIMEOUT_MS = 10_000;
/** The longest delay of a Node timer; a longer one fires at once. */
const MAX_CLOSE_TIMEOUT_MS = 2_147_483_647;

interface Rule {
  readonly allowed: string;
  /** What the value is, when it is not allowed. */
  readonly fault: (value: unknown) => string | undefined;
}

const RULES: Readonly<Record<keyof ListenOptions, Rule>> = {
  ssl: { allowed: 'an object with the path of a keyfile, or with key and cert', fault: sslFault },
  signal: { allowed: 'an AbortSignal', fault: (value) => (value instanceof AbortSignal ? undefined : shown(value)) },
  closeTimeout: {
    allowed: `a number of milliseconds from 0 to ${String(MAX_CLOSE_TIMEOUT_MS)}, or Infinity`,
    fault: (value) => {
      if (typeof value !== 'number') return shown(value);
      return value === Infinity || (value >= 0 && value <= MAX_CLOSE_TIMEOUT_MS) ? undefined : String(value);
    },
  },
};

const NAMES = Object.keys(RULES);

/** The options, checked, with their defaults. */
export interface Settings extends Omit<ListenOptions, 'closeTimeout'> {
  readonly closeTimeout: number;
}

/** @throws `TypeError` that names the option, the value and what is allowed; never a key or a passphrase. */
export function checkOptions(options: ListenOptions): Settings {
  assertPlainObject(options);
  for (const name of Reflect.ownKeys(options)) {
    if (!isOptionName(name)) throw new TypeError(`unknown option ${String(name)}; allowed are ${NAMES.join(', ')}`);
    const { allowed, fault } = RULES[name];
    const got = fault(options[name]);
    if (got !== undefined) throw new TypeError(`option ${name} must be ${allowed}, got ${got}`);
  }
  return { closeTimeout: DEFAULT_CLOSE_TIMEOUT_MS, ...options };
}

/** Only own properties count, so an object that inherits its options would lose them silently. */
function assertPlainObject(value: unknown): asserts value is object {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) {
    const prototype: unknown = Object.getPrototypeOf(value);
    if (prototype === null || Object.getPrototypeOf(prototype) === null) return;
  }
  throw new TypeError(
    `the options must be a plain object, got ${typeof value === 'string' ? 'a string' : shown(value)}`,
  );
}

function isOptionName(name: string | symbol): name is keyof ListenOptions {
  return Object.hasOwn(RULES, name);
}
