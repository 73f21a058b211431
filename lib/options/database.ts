import type { OptionRule } from './read-options.js';

/** A database that a request names in its URL, as `/_db/<database>`. */
export const DATABASE: OptionRule<string> = {
  allowed: 'a database name',
  read: (value) => (isDatabaseName(value) ? value : undefined),
};

/** URLs drop `.` and `..`, also percent-encoded, and have no form for half a surrogate pair. */
export function isDatabaseName(value: unknown): value is string {
  return typeof value === 'string' && !['', '.', '..'].includes(value) && !/\p{Cs}/u.test(value);
}
