import { types } from 'node:util';
import { shown } from './shown.js';

/**
 * Why something failed, in its own words, if it has any. Of a host name whose addresses all fail, Node says no more than an
 * `AggregateError` without a message.
 */
export function reasonOf(error: unknown): string | undefined {
  const { message, errors, code } = Object(error) as { message?: unknown; errors?: unknown; code?: unknown };
  const parts = Array.isArray(errors) ? errors.map((one: unknown) => reasonOf(one) ?? shown(one)) : [];
  const each = [...new Set(parts)].join('; ');
  const own = [message, each, code].find((words) => typeof words === 'string' && words !== '') as string | undefined;
  return own === message && each !== '' ? `${String(message)}: ${each}` : own;
}

/** The same error with words where it has none: a new one, with the given one as its `cause`. */
export function withReason(error: Error): Error {
  const words = reasonOf(error);
  return words === undefined || words === error.message ? error : new Error(words, { cause: error });
}

/** Whatever work threw, as an error with words. */
export function errorOf(thrown: unknown, work: string): Error {
  return types.isNativeError(thrown) ? withReason(thrown) : new Error(`${work} failed: ${shown(thrown)}`);
}
