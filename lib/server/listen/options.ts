import { checkOptions, type OptionRules } from '../../options/check-options.js';
import { WAITING_TIME } from '../../options/milliseconds.js';
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

const RULES: OptionRules<ListenOptions> = {
  ssl: {
    allowed: 'an object with the path of a keyfile, or with key and cert',
    accepts: (value) => sslFault(value) === undefined,
    show: (value) => String(sslFault(value)),
  },
  signal: { allowed: 'an AbortSignal', accepts: (value) => value instanceof AbortSignal },
  closeTimeout: WAITING_TIME,
};

/** The options, checked, with their defaults. */
export interface Settings extends Omit<ListenOptions, 'closeTimeout'> {
  readonly closeTimeout: number;
}

/** @throws `TypeError` that names the option, the value and what is allowed; never a key or a passphrase. */
export function settingsOf(options: ListenOptions): Settings {
  checkOptions(options, RULES);
  return { closeTimeout: DEFAULT_CLOSE_TIMEOUT_MS, ...options };
}
