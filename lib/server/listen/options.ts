import { shown } from '../../endpoint/syntax-error.js';
import type { SslOptions } from './ssl.js';

/** How {@link listenOn} listens. */
export interface ListenOptions {
  /** Needed when one of the endpoints has the scheme `ssl`, and read only then. */
  readonly ssl?: SslOptions;
  /** Aborting it stops the binding, or closes what is bound. */
  readonly signal?: AbortSignal;
  /**
   * How long `close()` lets running requests go on, in ms, before it cuts their connections. Default 10,000; `Infinity`:
   * until they are done.
   */
  readonly closeTimeout?: number;
}

const DEFAULT_CLOSE_TIMEOUT_MS = 10_000;
/** The longest delay of a timer. */
const MAX_CLOSE_TIMEOUT_MS = 2 ** 31 - 1;

const CHECKS: ReadonlyMap<string, (value: unknown) => void> = new Map([
  ['ssl', checkSsl],
  ['signal', checkSignal],
  ['closeTimeout', checkCloseTimeout],
]);

/** @throws TypeError that names the option, its value and what is allowed; never a key or a passphrase. */
export function checkOptions(options: ListenOptions): Omit<ListenOptions, 'closeTimeout'> & { closeTimeout: number } {
  const given: unknown = options;
  if (typeof given !== 'object' || given === null)
    throw new TypeError(`options must be an object, not ${shown(given)}`);
  for (const [name, value] of Object.entries(given)) {
    const check = CHECKS.get(name);
    if (!check) throw new TypeError(`${name} is not an option; the options are ${[...CHECKS.keys()].join(', ')}`);
    check(value);
  }
  return { closeTimeout: DEFAULT_CLOSE_TIMEOUT_MS, ...options };
}

function checkSignal(value: unknown): void {
  if (!(value instanceof AbortSignal)) throw new TypeError(`signal must be an AbortSignal, not ${shown(value)}`);
}

function checkCloseTimeout(value: unknown): void {
  if (typeof value === 'number' && (value === Infinity || (value >= 0 && value <= MAX_CLOSE_TIMEOUT_MS))) return;
  const was = typeof value === 'number' ? String(value) : shown(value);
  throw new TypeError(`closeTimeout must be 0 to ${String(MAX_CLOSE_TIMEOUT_MS)} ms, or Infinity, not ${was}`);
}

/** Says what a value is, and never what it holds: it may be the key itself, in the wrong place. */
function checkSsl(value: unknown): void {
  const wanted = 'ssl must be an object with a keyfile, or with key and cert';
  if (typeof value !== 'object' || value === null) throw new TypeError(`${wanted}, not ${kind(value)}`);
  const { keyfile, key, cert } = value as Record<string, unknown>;
  if ('keyfile' in value) {
    if (key !== undefined || cert !== undefined) throw new TypeError(`${wanted}, not with both`);
    checkKeyfile(keyfile);
  } else if (key === undefined || cert === undefined) {
    const missing = [key === undefined ? 'key' : '', cert === undefined ? 'cert' : ''].filter(Boolean);
    throw new TypeError(`${wanted}; it has no ${missing.join(' and no ')}`);
  }
}

function checkKeyfile(value: unknown): void {
  const wanted = 'ssl.keyfile must be the path of a PEM file';
  if (typeof value !== 'string') throw new TypeError(`${wanted}, not ${kind(value)}`);
  if (value === '') throw new TypeError(`${wanted}, not an empty string`);
  if (/-----BEGIN|[\n\r\0]/.test(value)) throw new TypeError(`${wanted}, not its text`);
}

function kind(value: unknown): string {
  return typeof value === 'string' ? 'a string' : shown(value);
}
