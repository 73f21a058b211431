import type { OptionRule } from './check-options.js';

/** The longest delay of a Node timer, in milliseconds; a longer one fires at once. */
export const MAX_TIMER_MS = 2_147_483_647;

/** A time limit: more than no time at all, or none. */
export const TIME_LIMIT: OptionRule = {
  allowed: `a number of milliseconds above 0, up to ${String(MAX_TIMER_MS)}, or Infinity`,
  accepts: (value) => value === Infinity || (typeof value === 'number' && value > 0 && value <= MAX_TIMER_MS),
};

/** How long to wait, which may be no time at all, or for ever. */
export const WAITING_TIME: OptionRule = {
  allowed: `a number of milliseconds from 0 to ${String(MAX_TIMER_MS)}, or Infinity`,
  accepts: (value) => value === 0 || TIME_LIMIT.accepts(value),
};
