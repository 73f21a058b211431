import { endpointText } from '../../endpoint/endpoint.js';
import { parseEndpoint } from '../../endpoint/parse.js';
import { bare } from '../../text/shown.js';
import { inTimeAndContext, requestHeaders } from '../../listing/in-time.js';
import { ListingError } from '../../listing/listing-error.js';
import { createParseOnce } from '../../listing/read-answer.js';
import { readEndpoints } from '../../listing/read-endpoints.js';
import { listingPath, serverAddress } from '../../endpoint/server-address.js';
import { askInSteps, type Progress, type AskTarget } from './ask.js';
import { checkSettings, type CheckSettings } from './options.js';
import type { DriverCheck } from '../../drivers/driver-checks.js';
import { driversView, withDrivers } from './drivers-view.js';
import type { EndpointCheck, EndpointResult, ListingCheck, ListingWarning } from './result.js';
import type { Failure } from './failure.js';
import { tryEndpoint, type Attempt, type ReadingSettings } from './try-endpoint.js';
import { warningsOf, type Listing } from './warnings.js';

const SIDE_BY_SIDE = 20;
/** The number of endpoints named in one result. */
const NAMED = 3;

/** See `checkEndpoints`. */
export async function checkListing(url: string | URL, options: unknown): Promise<ListingCheck> {
  const settings = { ...checkSettings(options), parse: createParseOnce(), read: once(readEndpoints) };
  const meantBy = once(canonicalSet);
  const { base, authorization } = serverAddress(url);
  const { listing, database } = settings;
  const target = { url: new URL(base + listingPath(listing, database)), isAddress: true };
  const headers = requestHeaders(settings.headers, authorization);
  const view = settings.drivers === undefined ? undefined : await driversView(settings.drivers, target, listing);

  const startedAt = performance.now();
  const progress: Progress = { step: 'dns', peer: '', onAnswer: view?.onAnswer };
  const first = await listingOf(target, headers, settings, progress).catch((error: unknown) => {
    throw error instanceof ListingError && view !== undefined ? withDrivers(error, view.drivers()) : error;
  });
  const ms = Math.round(performance.now() - startedAt);

  const expected = meantBy(first.endpoints);
  const attempts = await tryAll(first.endpoints, settings, async (endpoint) => {
    const attempt = await tryEndpoint(endpoint, settings, headersFor(endpoint, headers, target.url));
    return compared(attempt, expected, meantBy);
  });
  const again = (sent: Headers): Promise<Listing | undefined> =>
    listingOf(target, sent, settings, { step: 'dns', peer: '' }).catch(() => {
      settings.signal?.throwIfAborted();
      return undefined;
    });
  const second = await again(headers);
  const later = meantBy((second ?? first).endpoints);
  const byAddress = headers.has('host') ? await again(withoutHost(headers)) : undefined;
  const isOther = byAddress !== undefined && !isSameSet(meantBy(byAddress.endpoints), later);
  const endpoints = attempts.map((attempt) => endpointCheck(attempt, expected, later));
  const askedAddress = progress.peer.replace(/ .*/, '');
  const warnings = await warningsOf({
    first,
    second,
    askedAddress,
    attempts,
    otherList: isOther ? byAddress.endpoints : [],
  });
  const usable = endpoints.filter((endpoint) => endpoint.usable).length;
  const drivers = view?.drivers();
  return {
    ok: usable === endpoints.length && !isBreaking(warnings, drivers),
    url: base,
    listing,
    ...(database !== undefined && { database }),
    ms,
    usable,
    endpoints,
    warnings,
    ...(drivers !== undefined && { drivers }),
  };
}

function isBreaking(warnings: readonly ListingWarning[], drivers: readonly DriverCheck[] = []): boolean {
  return warnings.some(({ breaksDrivers }) => breaksDrivers) || drivers.some(({ breaks }) => breaks);
}

async function listingOf(
  target: AskTarget,
  headers: Headers,
  settings: ReadingSettings,
  progress: Progress,
): Promise<Listing> {
  const { timeoutMs, signal } = settings;
  const request = `GET ${target.url.href}`;
  return inTimeAndContext({ request, timeoutMs, signal }, headers, async (signal) => {
    const body = await askInSteps(target, { ...settings, headers }, signal, progress);
    const endpoints = settings.read(body);
    const entries = (Array.isArray(body) ? body : (body as { endpoints: unknown }).endpoints) as object[];
    const hasInternal = entries.map((entry) => Object.hasOwn(entry, 'internal'));
    return { endpoints, withInternal: endpoints.filter((_endpoint, index) => hasInternal[index] === true) };
  });
}

function withoutHost(headers: Headers): Headers {
  const sent = new Headers(headers);
  sent.delete('host');
  return sent;
}

/** Anything sent to the first server over TLS is never sent without TLS. */
function headersFor(endpoint: string, headers: Headers, asked: URL): Headers {
  return asked.protocol === 'https:' && !/^(?:ssl|https):/i.test(endpoint) ? requestHeaders({}, undefined) : headers;
}

/** Tries all endpoints, a few at a time, in the order of the list. */
async function tryAll(
  endpoints: readonly string[],
  { onProgress }: CheckSettings,
  attempt: (endpoint: string) => Promise<Compared>,
): Promise<readonly Compared[]> {
  const attempts: Compared[] = [];
  const queue = endpoints.entries();
  let done = 0;
  const work = async (): Promise<void> => {
    for (const [index, endpoint] of queue) {
      attempts[index] = await attempt(endpoint);
      done += 1;
      onProgress?.(done, endpoints.length);
    }
  };
  await Promise.all(Array.from({ length: Math.min(SIDE_BY_SIDE, endpoints.length) }, work));
  return attempts;
}

/** An attempt, with the meaning of what the endpoint lists. */
type Compared = Omit<Attempt, 'outcome'> & { readonly outcome: ReadonlySet<string> | Failure };

/** Keeps one set for all that list the same: ten thousand lists of ten thousand endpoints fit into no memory. */
function compared(attempt: Attempt, expected: ReadonlySet<string>, meantBy: typeof canonicalSet): Compared {
  const { outcome } = attempt;
  if ('result' in outcome) return { ...attempt, outcome };
  const listed = meantBy(outcome);
  return { ...attempt, outcome: listed === expected || isSameSet(listed, expected) ? expected : listed };
}

function endpointCheck(attempt: Compared, expected: ReadonlySet<string>, later: ReadonlySet<string>): EndpointCheck {
  const { endpoint, ms } = attempt;
  const { result, detail } = verdictOn(attempt, expected, later);
  return {
    endpoint,
    result,
    reachable: ['ok', 'differs', 'status'].includes(result),
    usable: result === 'ok',
    ms,
    detail,
  };
}

function verdictOn(
  { outcome: listed }: Compared,
  expected: ReadonlySet<string>,
  later: ReadonlySet<string>,
): { result: EndpointResult; detail: string } {
  if ('result' in listed) return listed;
  // A Coordinator that joins or leaves during the check changes the list.
  if (listed === expected || isSameSet(listed, later)) {
    return { result: 'ok', detail: `lists the same ${String(listed.size)}` };
  }
  const others = [...listed].filter((item) => !expected.has(item));
  const missing = expected.size - (listed.size - others.length);
  const differences = [
    ...(others.length > 0 ? [`also lists ${named(others.slice(0, NAMED), others.length)}`] : []),
    ...(missing > 0 ? [`does not list ${named(firstMissing(expected, listed), missing)}`] : []),
  ];
  return { result: 'differs', detail: differences.join('; ') };
}

function isSameSet(left: ReadonlySet<string>, right: ReadonlySet<string>): boolean {
  return left.size === right.size && [...left].every((item) => right.has(item));
}

/** The few that are named; it looks at no more than what is listed and these, for thousands may each list little. */
function firstMissing(expected: ReadonlySet<string>, listed: ReadonlySet<string>): string[] {
  const missing: string[] = [];
  for (const item of expected) {
    if (missing.length === NAMED) break;
    if (!listed.has(item)) missing.push(item);
  }
  return missing;
}

function named(endpoints: readonly string[], count: number): string {
  const names = endpoints.map(bare).join(', ');
  return count > endpoints.length ? `${names} and ${String(count - endpoints.length)} more` : names;
}

/** The same function, which makes each result once. */
function once<Given, Made>(make: (given: Given) => Made): (given: Given) => Made {
  const known = new WeakMap<WeakKey, Made>();
  return (given) => {
    const made = known.get(given as WeakKey) ?? make(given);
    known.set(given as WeakKey, made);
    return made;
  };
}

function canonicalSet(texts: readonly string[]): ReadonlySet<string> {
  return new Set(texts.map(meant));
}

/** The canonical form, in which two spellings of one endpoint are the same; what cannot be read stays as it is. */
function meant(text: string): string {
  try {
    return endpointText(parseEndpoint(text));
  } catch {
    return text;
  }
}
