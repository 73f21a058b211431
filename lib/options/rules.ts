import type { OptionRule } from './read-options.js';

/** The longest delay of a Node timer, in milliseconds; a longer one fires at once. */
export const MAX_TIMER_MS = 2_147_483_647;

/** An optional option, `undefined` if not given. */
export function optional<T>(rule: OptionRule<T>): OptionRule<T | undefined> {
  return { ...rule, fallback: undefined };
}

/** A required option. */
export function required<T>(rule: OptionRule<T>): OptionRule<T> {
  const withoutFallback = { ...rule };
  Reflect.deleteProperty(withoutFallback, 'fallback');
  return withoutFallback;
}

/** A duration in ms, from `min` to the longest that a timer supports. */
export function milliseconds(min: number, fallback: number): OptionRule<number> {
  return number(`milliseconds from ${String(min)} to ${String(MAX_TIMER_MS)}`, min, MAX_TIMER_MS, fallback);
}

/** The same, or `Infinity`. */
export function millisecondsOrInfinity(min: number, fallback: number): OptionRule<number> {
  const finite = milliseconds(min, fallback);
  return {
    ...finite,
    allowed: `${finite.allowed}, or Infinity`,
    read: (value, label) => (value === Infinity ? Infinity : finite.read(value, label)),
  };
}

/** A time limit in ms above 0, or `Infinity` for none. */
export function timeLimit(fallback: number): OptionRule<number> {
  return {
    allowed: `a number of milliseconds above 0, up to ${String(MAX_TIMER_MS)}, or Infinity`,
    fallback,
    read: (value) =>
      value === Infinity || (typeof value === 'number' && value > 0 && value <= MAX_TIMER_MS) ? value : undefined,
  };
}

/** A whole number from `min` to `max`. */
export function integer(min: number, max: number, fallback: number): OptionRule<number> {
  const { read, ...rule } = number(`an integer from ${String(min)} to ${String(max)}`, min, max, fallback);
  return { ...rule, read: (value, label) => (Number.isInteger(value) ? read(value, label) : undefined) };
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

/** One of a few words. */
export function oneOf<const T extends string | number>(values: readonly T[], fallback: T): OptionRule<T> {
  const words = values.map((value) => (typeof value === 'string' ? `'${value}'` : String(value)));
  return {
    allowed: [words.slice(0, -1).join(', '), ...words.slice(-1)].filter((word) => word !== '').join(' or '),
    fallback,
    read: (value) => values.find((word) => word === value),
  };
}

/** A function, required unless wrapped in {@link optional}. */
export function callback<T>(): OptionRule<T> {
  return { allowed: 'a function', read: (value) => (typeof value === 'function' ? (value as T) : undefined) };
}

/** A non-empty text, required unless the rule has a fallback. */
export const TEXT: OptionRule<string> = {
  allowed: 'a text of 1 character or more',
  read: (value) => (typeof value === 'string' && value !== '' ? value : undefined),
};

/** A signal that ends an operation early. */
export const ABORT_SIGNAL: OptionRule<AbortSignal> = {
  allowed: 'an AbortSignal',
  read: (value) => (value instanceof AbortSignal ? value : undefined),
};
