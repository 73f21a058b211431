import { type Endpoint, endpointText } from '../endpoint/endpoint.js';
import { parseEndpoint } from '../endpoint/parse.js';
import { copyOf, isSameList, skippedIn, withSkipped, type Entries } from '../listing/lists.js';
import { orUnmatched, readRules, UNMATCHED } from '../listing/translation-rules.js';
import { readOptions, shownValue } from '../options/read-options.js';
import { shown } from '../text/shown.js';
import { ListCache } from './list-cache.js';
import { ignoreRejection, isThenable } from '../options/promises.js';
import type { EndpointQuery, EndpointProvider } from './provider.js';

/**
 * Which address each endpoint gets.
 *
 * A record from endpoint to endpoint, in any spelling; the key `*`, which must come last, matches every endpoint without its own key. Or a
 * function that receives each parsed endpoint and the query, and returns the address, or `undefined`.
 */
export type TranslationRules =
  Readonly<Record<string, string>> | ((endpoint: Endpoint, query: EndpointQuery) => string | undefined);

/** The options of `translateEndpoints`. */
export interface TranslationOptions {
  /**
   * What happens to an endpoint that no rule matches: `skip`, because clients hang when they try an address that they cannot reach, or
   * `keep`.
   * @defaultValue `'skip'`
   */
  readonly unmatched?: 'skip' | 'keep';
}

type Translate = (endpoint: Endpoint, text: string, query: EndpointQuery) => string | undefined;

/** One entry of a list, read once. */
interface Entry {
  /** The original text: the router reports it if it is invalid. */
  readonly given: unknown;
  readonly endpoint?: Endpoint;
  /** The canonical form of the endpoint. */
  readonly text: string;
  /** Why it is skipped, if it is; created on demand. */
  refusal?: Error;
}

/** Why an endpoint that no rule names is skipped; the host application's log knows it by its name. */
class UnmatchedEndpointError extends Error {
  override readonly name = 'UnmatchedEndpointError';

  /** What is wrong, without the text. */
  readonly reason = `no rule of ${CALLER} names it`;

  constructor(text: string) {
    super();
    this.message = `${shown(text)} is skipped: ${this.reason}`;
  }
}

interface Reading {
  readonly list: Entries;
  readonly entries: readonly Entry[];
  readonly skipped: readonly Error[];
  /** The translation by a record, the same for every query. */
  translation?: readonly string[];
  /** The last few different translations, so that the router recognises them. */
  readonly translations: (readonly string[])[];
}

const CALLER = 'translateEndpoints';
/** More networks than a gateway has. */
const REMEMBERED_TRANSLATIONS = 8;

/**
 * Creates a provider that lists another provider's endpoints under the addresses that clients can reach. It serves both listings.
 *
 * Endpoints that no rule matches are skipped and reported to the router's `onError`, once per change. A record translates the same frozen
 * list once. A function is called for every endpoint of every request; if your rules do not depend on the request, use
 * `createTranslatedDirectory` of `/directory`, which translates when the list changes.
 *
 * @param provider - A provider, for example that of a directory: `directory.provider`.
 * @throws `TypeError` if `provider` is not a function, for an unknown option, and for a record with mistakes, naming all of them.
 */
export function translateEndpoints(
  provider: EndpointProvider,
  rules: TranslationRules,
  options: TranslationOptions = {},
): EndpointProvider {
  const given: unknown = provider;
  if (typeof given !== 'function') {
    throw new TypeError(`${CALLER}: the provider must be a function, got ${shownValue(given)}`);
  }
  const { unmatched } = readOptions(CALLER, options, { unmatched: UNMATCHED });
  const isFunction = typeof rules === 'function';
  const translate = isFunction ? byFunction(rules) : byRecord(rules);
  const readings = new ListCache<Reading>();
  const last: Partial<Record<EndpointQuery['listing'], Reading>> = {};

  function readingOf(list: unknown, listing: EndpointQuery['listing']): Reading {
    const known = readings.get(list);
    if (known !== undefined) return known;
    const entries = copyOf(list);
    const skipped = skippedIn(list as object);
    const previous = last[listing];
    const isKnown =
      previous !== undefined && isSameList(entries, previous.list) && isSameList(skipped, previous.skipped);
    const reading = isKnown ? previous : { list: entries, entries: entries.map(entryOf), skipped, translations: [] };
    last[listing] = reading;
    readings.set(list, reading);
    return reading;
  }

  function translated(list: unknown, query: EndpointQuery): readonly string[] {
    const reading = readingOf(list, query.listing);
    if (reading.translation !== undefined) return reading.translation;
    const endpoints: unknown[] = [];
    const skipped = [...reading.skipped];
    for (const entry of reading.entries) {
      const { endpoint, text, given } = entry;
      const address = endpoint && orUnmatched(translate(endpoint, text, query), text, unmatched);
      if (endpoint === undefined) endpoints.push(given);
      else if (address !== undefined) endpoints.push(address);
      else skipped.push((entry.refusal ??= new UnmatchedEndpointError(text)));
    }
    const translation = remembered(reading, endpoints, skipped);
    if (!isFunction) reading.translation = translation;
    return translation;
  }

  return function translatedProvider(query) {
    const list = provider(query);
    return isThenable(list) ? list.then((settled) => translated(settled, query)) : translated(list, query);
  };
}

function remembered(
  { translations }: Reading,
  endpoints: readonly unknown[],
  skipped: readonly Error[],
): readonly string[] {
  const known = translations.find((list) => isSameList(list, endpoints) && isSameList(skippedIn(list), skipped));
  if (known !== undefined) return known;
  // The router reports entries that are not strings.
  const list = withSkipped(endpoints as readonly string[], skipped);
  translations.push(list);
  translations.splice(0, translations.length - REMEMBERED_TRANSLATIONS);
  return list;
}

function entryOf(given: unknown): Entry {
  try {
    const endpoint = parseEndpoint(given as string);
    return { given, endpoint, text: endpointText(endpoint) };
  } catch {
    return { given, text: '' };
  }
}

function byFunction(rule: (endpoint: Endpoint, query: EndpointQuery) => unknown): Translate {
  return (endpoint, _text, query) => {
    const address = rule(endpoint, query);
    if (typeof address !== 'string') ignoreRejection(address);
    return address as string | undefined;
  };
}

function byRecord(rules: unknown): Translate {
  const addressOf = readRules(CALLER, rules);
  return (_endpoint, text) => addressOf(text);
}
