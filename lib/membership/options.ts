import { shown } from '../endpoint/syntax-error.js';

/** What one option may be. */
export interface OptionRule<T> {
  /** For the message of a refusal: `milliseconds from 1 to 2147483647`. */
  readonly allowed: string;
  /** The value to use, or nothing for a value that is refused. `name` is for the messages of nested options. */
  readonly read: (value: unknown, name: string) => T | undefined;
  /** What is used when the option is left out; an option without it is required. */
  readonly fallback?: T;
  /** The value may hold a secret: a refusal names its type only. */
  readonly secret?: true;
}

type Values<Rules> = { readonly [Name in keyof Rules]: Rules[Name] extends OptionRule<infer T> ? T : never };

/** The longest delay that a Node timer takes. */
const MAX_TIMER_MS = 2_147_483_647;

/**
 * The options as the rules read them, frozen.
 *
 * @param name What is being read, for messages: `createEtcdDirectory option` or `createEtcdDirectory option auth`.
 * @throws TypeError naming the option, its value and what is allowed: for a value that is refused (an explicit `undefined`
 *   is one), a required option left out, an unknown name.
 */
export function readOptions<Rules extends Readonly<Record<string, OptionRule<unknown>>>>(
  name: string,
  given: unknown,
  rules: Rules,
): Values<Rules> {
  const allowed = Object.keys(rules);
  if (typeof given !== 'object' || given === null || Array.isArray(given)) {
    throw new TypeError(`${name}s are ${display(given)}; allowed: an object of ${allowed.join(', ')}`);
  }
  for (const unknown of Object.keys(given).filter((key) => !Object.hasOwn(rules, key))) {
    throw new TypeError(`${name} ${display(unknown)} is unknown; allowed: ${allowed.join(', ')}`);
  }
  const values = Object.entries<OptionRule<unknown>>(rules).map(([key, rule]) => {
    if (!(key in given) && 'fallback' in rule) return [key, rule.fallback];
    const value = (given as Record<string, unknown>)[key];
    const read = rule.read(value, `${name} ${key}`);
    if (read === undefined) {
      throw new TypeError(`${name} ${key} is ${rule.secret ? typeof value : display(value)}; allowed: ${rule.allowed}`);
    }
    return [key, read];
  });
  return Object.freeze(Object.fromEntries(values) as Values<Rules>);
}

/** A span of time in ms, from `min` to the longest that a timer takes. */
export function milliseconds(min: number, fallback: number): OptionRule<number> {
  return number(`milliseconds from ${String(min)} to ${String(MAX_TIMER_MS)}`, min, MAX_TIMER_MS, fallback);
}

/** The same, or `Infinity`. */
export function millisecondsOrInfinity(min: number, fallback: number): OptionRule<number> {
  const finite = milliseconds(min, fallback);
  return {
    ...finite,
    allowed: `${finite.allowed}, or Infinity`,
    read: (value, name) => (value === Infinity ? Infinity : finite.read(value, name)),
  };
}

/** A whole number. */
export function integer(min: number, max: number, fallback: number): OptionRule<number> {
  const { read, ...rule } = number(`an integer from ${String(min)} to ${String(max)}`, min, max, fallback);
  return { ...rule, read: (value, name) => (Number.isInteger(value) ? read(value, name) : undefined) };
}

function number(allowed: string, min: number, max: number, fallback: number): OptionRule<number> {
  return {
    allowed,
    fallback,
    read: (value) => (typeof value === 'number' && value >= min && value <= max ? value : undefined),
  };
}

/** `true` or `false`. */
export function boolean(fallback: boolean): OptionRule<boolean> {
  return { allowed: 'true or false', fallback, read: (value) => (typeof value === 'boolean' ? value : undefined) };
}

/** A value in a message, without the user and password that a text may carry. */
function display(value: unknown): string {
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : shown(value);
}
