import { inspect } from 'node:util';
import { nearestName } from '../text/nearest-name.js';
import { shown } from '../text/shown.js';

/** What one option may be, and what is made of it. */
export interface OptionRule<T> {
  /** For the message of a refusal, behind "must be": `'system' or 'any'`. */
  readonly allowed: string;
  /**
   * The value to use, or `undefined` for a value that is refused. `label` begins a message of the rule's own:
   * `createEtcdDirectory: option hosts`.
   */
  readonly read: (value: unknown, label: string) => T | undefined;
  /** What is used when the option is not there; an option without a fallback is required. */
  readonly fallback?: T | undefined;
  /**
   * A refused value, for the message. A rule whose values may hold a secret gives {@link kindOf}.
   * @defaultValue text without user, password and query, numbers and booleans as they are, anything else by its kind
   */
  readonly show?: (value: unknown) => string;
}

/** A rule for each option. */
export type OptionRules = Readonly<Record<string, OptionRule<unknown>>>;

/** What the options are once they are read. */
export type Values<Rules> = { readonly [Name in keyof Rules]: Rules[Name] extends OptionRule<infer T> ? T : never };

/**
 * Reads the options of a function as a caller gave them: each as its rule has it, frozen, the caller's object left alone.
 * An explicit `undefined` is a value, and inherited properties are no options.
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
    // A whole text in the place of the options may be anything: a key, too.
    const shownOptions = typeof given === 'string' ? kindOf(given) : shownValue(given);
    throw new TypeError(`${caller}: the options must be a plain object, got ${shownOptions}`);
  }
  return readEachOption(given, rules, `${caller}: option `, `${caller}: unknown option `);
}

/** Options within an option: `tls: { ca, key }`. */
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

/** An unknown name, and the one that was probably meant, or else all that there are. */
function withAdvice(unknown: string | symbol, names: readonly string[]): string {
  const nearest = typeof unknown === 'string' ? nearestName(unknown, names) : undefined;
  const written = typeof unknown === 'string' ? shown(unknown) : String(unknown);
  return nearest === undefined ? `${written}; allowed: ${names.join(', ')}` : `${written}, did you mean ${nearest}?`;
}

/** The error for a value that is not what it must be; `label` names the option, or one item of it: `... option hosts[1]`. */
export function refusedValue(
  label: string,
  { allowed, show = shownValue }: Pick<OptionRule<unknown>, 'allowed' | 'show'>,
  value: unknown,
): TypeError {
  return new TypeError(`${label} must be ${allowed}, got ${show(value)}`);
}

/** Whether all that a value holds is its own: an object that inherits its options would lose them. */
export function isPlainObject(value: unknown): value is object {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === null || Object.getPrototypeOf(prototype) === null;
}

/** A value in a message, never with what is inside of an object: `inspect` would print a key or a password there. */
export function shownValue(value: unknown): string {
  return typeof value === 'string' || typeof value === 'object' || typeof value === 'function'
    ? shown(value)
    : inspect(value);
}

/** What a value is, and nothing of what is in it: for values that may be secrets. */
export function kindOf(value: unknown): string {
  return typeof value === 'string' ? 'a string' : shown(value);
}
