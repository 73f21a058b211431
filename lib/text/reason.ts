import { types } from 'node:util';
import { shown } from './shown.js';

/** An error may contain itself, or thousands of others: these limits bound what is read. */
const MAX_DEPTH = 3;
const MAX_PARTS = 20;

/**
 * The message of an error, if it has one. If all addresses of a host name fail, Node only throws an `AggregateError` without a message.
 * Never throws, whatever a callback has thrown.
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

/** The thrown value as an error with a message: if it has none, a new error with the thrown value as its `cause`. */
export function withReason(thrown: unknown): Error {
  const words = reasonOf(thrown);
  if (words !== undefined && types.isNativeError(thrown) && words === thrown.message) return thrown;
  return new Error(words ?? `failed with ${shown(thrown)}`, { cause: thrown });
}

/** Turns whatever was thrown into an error with a message. */
export function errorOf(thrown: unknown, work: string): Error {
  return types.isNativeError(thrown) ? withReason(thrown) : new Error(`${work} failed: ${shown(thrown)}`);
}
