import { types } from 'node:util';
import { shown } from './shown.js';

/** An error may hold itself, or thousands: what is deeper, or beyond these, is not read. */
const MAX_DEPTH = 3;
const MAX_PARTS = 20;

/**
 * Why something failed, in its own words, if it has any. Of a host name whose addresses all fail, Node says no more than an
 * `AggregateError` without a message. Never throws, whatever a callback has thrown.
 */
export function reasonOf(error: unknown, depth = 0): string | undefined {
  try {
    const { message, errors, code } = Object(error) as { message?: unknown; errors?: unknown; code?: unknown };
    const parts: unknown[] = depth < MAX_DEPTH && Array.isArray(errors) ? errors.slice(0, MAX_PARTS) : [];
    const each = [...new Set(parts.map((one) => reasonOf(one, depth + 1) ?? shown(one)))].join('; ');
    const own = [message, each, code].find((words) => typeof words === 'string' && words !== '') as string | undefined;
    return own === message && each !== '' ? `${String(message)}: ${each}` : own;
  } catch {
    return undefined;
  }
}

/** What was thrown, as an error with words: a new one where it has none, with what was thrown as its `cause`. */
export function withReason(thrown: unknown): Error {
  const words = reasonOf(thrown);
  if (words !== undefined && types.isNativeError(thrown) && words === thrown.message) return thrown;
  return new Error(words ?? `failed with ${shown(thrown)}`, { cause: thrown });
}

/** Whatever work threw, as an error with words. */
export function errorOf(thrown: unknown, work: string): Error {
  return types.isNativeError(thrown) ? withReason(thrown) : new Error(`${work} failed: ${shown(thrown)}`);
}
