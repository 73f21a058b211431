import { readOptions, type OptionRule } from '../options/read-options.js';
import { ABORT_SIGNAL, millisecondsOrInfinity, optional } from '../options/rules.js';
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

const SSL: OptionRule<SslOptions> = {
  allowed: 'an object with the path of a keyfile, or with key and cert',
  read: (value) => (sslFault(value) === undefined ? (value as SslOptions) : undefined),
  show: (value) => String(sslFault(value)),
};
const RULES = {
  ssl: optional(SSL),
  signal: optional(ABORT_SIGNAL),
  closeTimeout: millisecondsOrInfinity(0, 10_000),
};

/** The options, with their defaults. */
export type Settings = ReturnType<typeof listenSettings>;

/** @throws `TypeError` that names the option, the value and what is allowed; never a key or a passphrase. */
export function listenSettings(options: ListenOptions) {
  return readOptions('listenOn', options, RULES);
}
