import { shown } from '../endpoint/syntax-error.js';
import { isPlainObject } from '../options/check-options.js';
import { MAX_TIMER_MS } from '../options/milliseconds.js';

/** What one option may be, and what is made of it. */
export interface ReadRule<T> {
  /** For the message of a refusal: `milliseconds from 1 to 2147483647`. */
  readonly allowed: string;
  /** The value to use, or nothing for a value that is refused. `name` is for a message of the rule's own. */
  readonly read: (value: unknown, name: string) => T | undefined;
  /** What is used when the option is left out; an option without it is required. */
  readonly fallback?: T;
  /** The value may hold a secret: a refusal names its type only. */
  readonly secret?: true;
}

type Values<Rules> = { readonly [Name in keyof Rules]: Rules[Name] extends ReadRule<infer T> ? T : never };

type Rules = Readonly<Record<string, ReadRule<unknown>>>;

/**
 * The options as the rules read them, frozen.
 *
 * @param name What is being read, for messages: `createEtcdDirectory option`.
 * @throws TypeError naming the option, its value and what is allowed: for a value that is refused (an explicit `undefined`
 *   is one), a required option left out, an unknown name.
 */
export function readOptions<R extends Rules>(name: string, given: unknown, rules: R): Values<R> {
  if (isPlainObject(given)) return readEach(`${name} `, given, rules);
  throw new TypeError(`${name}s are ${display(given)}; allowed: an object of ${Object.keys(rules).join(', ')}`);
}

/** Options within an option. */
export function group<R extends Rules>(rules: R): ReadRule<Values<R>> {
  return {
    allowed: `an object of ${Object.keys(rules).join(', ')}`,
    secret: true,
    read: (value, name) => (isPlainObject(value) ? readEach(`${name}.`, value, rules) : undefined),
  };
}

function readEach<R extends Rules>(prefix: string, given: object, rules: R): Values<R> {
  for (const name of Reflect.ownKeys(given).filter((key) => !Object.hasOwn(rules, key))) {
    const shownName = typeof name === 'symbol' ? String(name) : display(name);
    throw new TypeError(`${prefix}${shownName} is unknown; allowed: ${Object.keys(rules).join(', ')}`);
  }
  const values = Object.entries<ReadRule<unknown>>(rules).map(([key, rule]) => {
    if (!Object.hasOwn(given, key) && 'fallback' in rule) return [key, rule.fallback];
    const value = (given as Record<string, unknown>)[key];
    const read = rule.read(value, prefix + key);
    if (read === undefined) {
      const shownValue = rule.secret ? typeof value : display(value);
      throw new TypeError(`${prefix}${key} is ${shownValue}; allowed: ${rule.allowed}`);
    }
    return [key, read];
  });
  return Object.freeze(Object.fromEntries(values) as Values<R>);
}

/** A span of time in ms, from `min` to the longest that a timer takes. */
export function milliseconds(min: number, fallback: number): ReadRule<number> {
  return number(`milliseconds from ${String(min)} to ${String(MAX_TIMER_MS)}`, min, MAX_TIMER_MS, fallback);
}

/** The same, or `Infinity`. */
export function millisecondsOrInfinity(min: number, fallback: number): ReadRule<number> {
  const finite = milliseconds(min, fallback);
  return {
    ...finite,
    allowed: `${finite.allowed}, or Infinity`,
    read: (value, name) => (value === Infinity ? Infinity : finite.read(value, name)),
  };
}

/** A whole number. */
export function integer(min: number, max: number, fallback: number): ReadRule<number> {
  const { read, ...rule } = number(`an integer from ${String(min)} to ${String(max)}`, min, max, fallback);
  return { ...rule, read: (value, name) => (Number.isInteger(value) ? read(value, name) : undefined) };
}

function number(allowed: string, min: number, max: number, fallback: number): ReadRule<number> {
  return {
    allowed,
    fallback,
    read: (value) => (typeof value === 'number' && value >= min && value <= max ? value : undefined),
  };
}

/** `true` or `false`. */
export function boolean(fallback: boolean): ReadRule<boolean> {
  return { allowed: 'true or false', fallback, read: (value) => (typeof value === 'boolean' ? value : undefined) };
}

/** A value in a message, without the user and password that a text may carry. */
function display(value: unknown): string {
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : shown(value);
}
