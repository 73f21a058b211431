import { inspect, types } from 'node:util';
import { nearestName } from '../text/nearest-name.js';
import { shown } from '../text/shown.js';

/** The allowed values of an option, and how to read them. */
export interface OptionRule<T> {
  /** For the error message, after "must be": `'system' or 'any'`. */
  readonly allowed: string;
  /**
   * Returns the value to use, or `undefined` to refuse it. `label` begins the rule's own messages:
   * `createEtcdDirectory: option hosts`.
   */
  readonly read: (value: unknown, label: string) => T | undefined;
  /** The default; an option without a fallback is required. */
  readonly fallback?: T | undefined;
  /**
   * A refused value, for the message. If values may contain a secret, use {@link kindOf}.
   * @defaultValue text without user, password and query, numbers and booleans as they are, anything else by its kind
   */
  readonly show?: (value: unknown) => string;
}

/** A rule for each option. */
export type OptionRules = Readonly<Record<string, OptionRule<unknown>>>;

/** The options after reading. */
export type Values<Rules> = { readonly [Name in keyof Rules]: Rules[Name] extends OptionRule<infer T> ? T : never };

/**
 * Reads a caller's options by their rules, into a new frozen object. An explicit `undefined` is a value; inherited properties are
 * ignored.
 *
 * @param caller - The function whose options these are, for messages: `createEtcdDirectory`.
 * @throws `TypeError`, for example `createEtcdDirectory: option prefix must be a text, got 7`, for a value that is refused,
 *   a required option that is missing, or an unknown name.
 */
export function readOptions<const Rules extends OptionRules>(
  caller: string,
  given: unknown,
  rules: Rules,
): Values<Rules> {
  if (!isPlainObject(given)) {
    // A text passed instead of the options may be anything, even a key.
    const shownOptions = typeof given === 'string' ? kindOf(given) : shownValue(given);
    throw new TypeError(`${caller}: the options must be a plain object, got ${shownOptions}`);
  }
  return readEachOption(given, rules, `${caller}: option `, `${caller}: unknown option `);
}

/** Nested options: `tls: { ca, key }`. */
export function group<const Rules extends OptionRules>(rules: Rules): OptionRule<Values<Rules>> {
  return {
    allowed: `a plain object of ${Object.keys(rules).join(', ')}`,
    show: kindOf,
    read: (value, label) =>
      isPlainObject(value) ? readEachOption(value, rules, `${label}.`, `${label} has an unknown name `) : undefined,
  };
}

function readEachOption<Rules extends OptionRules>(
  given: object,
  rules: Rules,
  label: string,
  unknownName: string,
): Values<Rules> {
  const names = Object.keys(rules);
  const unknown = Reflect.ownKeys(given).find((name) => !Object.hasOwn(rules, name));
  if (unknown !== undefined) throw new TypeError(unknownName + withAdvice(unknown, names));
  const values = Object.entries(rules).map(([key, rule]) => {
    if (!Object.hasOwn(given, key)) {
      if ('fallback' in rule) return [key, rule.fallback];
      throw new TypeError(`${label}${key} is missing; it must be ${rule.allowed}`);
    }
    const value: unknown = Reflect.get(given, key);
    const read = rule.read(value, label + key);
    if (read !== undefined) return [key, read];
    throw refusedValue(label + key, rule, value);
  });
  return Object.freeze(Object.fromEntries(values) as Values<Rules>);
}

/** An unknown name, with the one that was probably meant, or else all known names. */
function withAdvice(unknown: string | symbol, names: readonly string[]): string {
  const nearest = typeof unknown === 'string' ? nearestName(unknown, names) : undefined;
  const written = typeof unknown === 'string' ? shown(unknown) : String(unknown);
  return nearest === undefined ? `${written}; allowed: ${names.join(', ')}` : `${written}, did you mean ${nearest}?`;
}

/** The error for an invalid value; `label` names the option, or one item of it: `... option hosts[1]`. */
export function refusedValue(
  label: string,
  { allowed, show = shownValue }: Pick<OptionRule<unknown>, 'allowed' | 'show'>,
  value: unknown,
): TypeError {
  return new TypeError(`${label} must be ${allowed}, got ${show(value)}`);
}

/**
 * Reads each item of an array. What `read` throws, or has no value for, is refused with the place of the item.
 *
 * @param allowed - For an item without a value.
 */
export function readItems<T>(
  items: readonly unknown[],
  label: string,
  read: (item: unknown) => T | undefined,
  allowed = '',
): readonly T[] {
  return Array.from(items, (item, index) => {
    const place = `${label}[${String(index)}]`;
    let value: T | undefined;
    try {
      value = read(item);
    } catch (error) {
      throw new TypeError(`${place} is refused: ${(error as Error).message}`, { cause: error });
    }
    if (value === undefined) throw refusedValue(place, { allowed }, item);
    return value;
  });
}

/** True for plain objects; inherited options would be ignored. */
export function isPlainObject(value: unknown): value is object {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === null || Object.getPrototypeOf(prototype) === null;
}

/** A value for a message, never with the contents of an object: `inspect` might print a key or a password. */
export function shownValue(value: unknown): string {
  if (isDirectory(value)) return 'a directory: pass directory.provider';
  return typeof value === 'string' || typeof value === 'object' || typeof value === 'function'
    ? shown(value)
    : inspect(value);
}

function isDirectory(value: unknown): boolean {
  if (types.isProxy(value)) return false;
  const { provider, status } = Object(value) as Record<string, unknown>;
  return typeof provider === 'function' && typeof status === 'function';
}

/** The kind of a value without its contents: for values that may be secrets. */
export function kindOf(value: unknown): string {
  return typeof value === 'string' ? 'a string' : shown(value);
}
