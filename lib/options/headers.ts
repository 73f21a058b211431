import { kindOf, type OptionRule } from './read-options.js';

/** Headers of a request. */
export type HeadersLike = Headers | Readonly<Record<string, string>>;

/** Headers, or a function that gives them, sync or async: for tokens that expire. */
export type HeadersSource = HeadersLike | (() => HeadersLike | PromiseLike<HeadersLike>);

const OBJECT = 'a Headers object or an object of valid header names and values';

/** The option `headers`. A refusal never shows the value, which may be a secret. */
export const HEADERS: OptionRule<HeadersLike> = {
  allowed: OBJECT,
  show: kindOf,
  read: (value) => (isHeaders(value) ? value : undefined),
};

/** The same, or a function. Copies an object; {@link headersFrom} calls a function. */
export const HEADERS_SOURCE: OptionRule<() => Promise<Headers>> = {
  allowed: `${OBJECT}, or a function that gives one`,
  show: kindOf,
  fallback: lazily(() => new Headers()),
  read: (value) => {
    if (typeof value === 'function') return headersFrom(value as () => unknown);
    if (!isHeaders(value)) return undefined;
    const copy = new Headers(value);
    return lazily(() => copy);
  },
};

/**
 * Returns the same object each time, so that callers can remember what they derive from it. Created on demand, because the first
 * `Headers` of a process loads all of Node's fetch.
 */
function lazily(make: () => Headers): () => Promise<Headers> {
  let made: Promise<Headers> | undefined;
  return () => (made ??= Promise.resolve(make()));
}

function headersFrom(give: () => unknown): () => Promise<Headers> {
  return async () => {
    const given = await give();
    if (isHeaders(given)) return new Headers(given);
    throw new TypeError(`the headers function must give ${OBJECT}, got ${kindOf(given)}`);
  };
}

function isHeaders(value: unknown): value is HeadersLike {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  try {
    new Headers(value as Record<string, string>);
    return true;
  } catch {
    // The reason would repeat the value.
    return false;
  }
}
