import { inspect } from 'node:util';
import { shown } from '../endpoint/syntax-error.js';

/** What one option may be. */
export interface OptionRule {
  /** For the message of a refusal: `'system' or 'any'`. */
  readonly allowed: string;
  readonly accepts: (value: unknown) => boolean;
  /** A refused value, for the message. @defaultValue text without user and password, and anything else by its kind */
  readonly show?: (value: unknown) => string;
}

/** One rule for each option; the compiler complains when one is missing. */
export type OptionRules<Options> = Readonly<Record<keyof Options, OptionRule>>;

/**
 * Checks options as a caller gave them: a plain object, no unknown name, each value as its rule has it. An explicit
 * `undefined` is a value.
 *
 * @throws `TypeError` that names the option, the value and what is allowed.
 */
export function checkOptions<Options extends object>(options: Options, rules: OptionRules<Options>): void {
  if (!isPlainObject(options)) throw new TypeError(`the options must be a plain object, got ${withoutText(options)}`);
  for (const name of Reflect.ownKeys(options)) {
    if (!Object.hasOwn(rules, name)) {
      throw new TypeError(`unknown option ${inspect(name)}; allowed are ${Object.keys(rules).join(', ')}`);
    }
    const { allowed, accepts, show = shownValue } = rules[name as keyof Options];
    const value: unknown = options[name as keyof Options];
    if (!accepts(value)) throw new TypeError(`option ${String(name)} must be ${allowed}, got ${show(value)}`);
  }
}

/** Whether all that a value holds is its own: only own properties count, and an object that inherits its options would lose them. */
export function isPlainObject(value: unknown): value is object {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === null || Object.getPrototypeOf(prototype) === null;
}

/** Text without the user and password that it may carry, and never what is inside of an object: `inspect` would print it. */
function shownValue(value: unknown): string {
  return typeof value === 'string' || typeof value === 'object' || typeof value === 'function'
    ? shown(value)
    : inspect(value);
}

/** For a value whose text may be a secret as a whole. */
export function withoutText(value: unknown): string {
  return typeof value === 'string' ? 'a string' : shownValue(value);
}
