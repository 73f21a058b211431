import { endpointText } from '../../endpoint/endpoint.js';
import { parseEndpoint } from '../../endpoint/parse.js';
import { bare } from '../../text/shown.js';
import { inTimeAndContext, requestHeaders } from '../../listing/in-time.js';
import { ListingError } from '../../listing/listing-error.js';
import { readEndpoints } from '../../listing/read-endpoints.js';
import { listingPath, serverAddress } from '../../endpoint/server-address.js';
import { askInSteps, type Progress, type AskTarget } from './ask.js';
import { checkSettings, type CheckSettings } from './options.js';
import type { DriverCheck } from '../../drivers/driver-checks.js';
import { driversView, withDrivers } from './drivers-view.js';
import type { EndpointCheck, EndpointResult, ListingCheck, ListingWarning } from './result.js';
import { tryEndpoint, type Attempt } from './try-endpoint.js';
import { warningsOf, type Listing } from './warnings.js';

/** So many endpoints are tried side by side. */
const SIDE_BY_SIDE = 20;
/** So many endpoints are named in the words of one result. */
const NAMED = 3;

/** See `checkEndpoints`. */
export async function checkListing(url: string | URL, options: unknown): Promise<ListingCheck> {
  const settings = checkSettings(options);
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

  const attempts = await tryAll(first.endpoints, settings, (endpoint) =>
    tryEndpoint(endpoint, settings, headersFor(endpoint, headers, target.url)),
  );
  const second = await listingOf(target, headers, settings, { step: 'dns', peer: '' }).catch(() => {
    settings.signal?.throwIfAborted();
    return undefined;
  });

  const endpoints = attempts.map((attempt) => endpointCheck(attempt, first, second));
  const askedAddress = progress.peer.replace(/ .*/, '');
  const warnings = warningsOf({ first, second, askedAddress, attempts });
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

/** @throws ListingError when there is no listing. */
async function listingOf(
  target: AskTarget,
  headers: Headers,
  settings: CheckSettings,
  progress: Progress,
): Promise<Listing> {
  const { timeoutMs, signal } = settings;
  const request = `GET ${target.url.href}`;
  return inTimeAndContext({ request, timeoutMs, signal }, headers, async (signal) => {
    const body = await askInSteps(target, { ...settings, headers }, signal, progress);
    const endpoints = readEndpoints(body);
    const entries = (Array.isArray(body) ? body : (body as { endpoints: unknown }).endpoints) as object[];
    const hasInternal = entries.map((entry) => Object.hasOwn(entry, 'internal'));
    return { endpoints, withInternal: endpoints.filter((_endpoint, index) => hasInternal[index] === true) };
  });
}

/** What goes to the asked server over TLS goes to no other in the clear. */
function headersFor(endpoint: string, headers: Headers, asked: URL): Headers {
  return asked.protocol === 'https:' && !/^(?:ssl|https):/i.test(endpoint) ? requestHeaders({}, undefined) : headers;
}

/** Tries all endpoints, a few at a time, in the order of the list. */
async function tryAll(
  endpoints: readonly string[],
  { onProgress }: CheckSettings,
  attempt: (endpoint: string) => Promise<Attempt>,
): Promise<readonly Attempt[]> {
  const attempts: Attempt[] = [];
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

function endpointCheck(attempt: Attempt, first: Listing, second: Listing | undefined): EndpointCheck {
  const { endpoint, ms } = attempt;
  const { result, detail } = verdictOn(attempt, first, second);
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
  { outcome }: Attempt,
  first: Listing,
  second: Listing | undefined,
): { result: EndpointResult; detail: string } {
  if ('result' in outcome) return outcome;
  const listed = new Set(outcome.map(meant));
  const expected = new Set(first.endpoints.map(meant));
  // Whoever joins or leaves meanwhile makes two right lists.
  if (
    isSameSet(listed, expected) ||
    (second !== undefined && isSameSet(listed, new Set(second.endpoints.map(meant))))
  ) {
    return { result: 'ok', detail: `lists the same ${String(listed.size)}` };
  }
  const others = [...listed].filter((item) => !expected.has(item));
  const missing = [...expected].filter((item) => !listed.has(item));
  const differences = [
    ...(others.length > 0 ? [`also lists ${named(others)}`] : []),
    ...(missing.length > 0 ? [`does not list ${named(missing)}`] : []),
  ];
  return { result: 'differs', detail: differences.join('; ') };
}

function isSameSet(left: ReadonlySet<string>, right: ReadonlySet<string>): boolean {
  return left.size === right.size && [...left].every((item) => right.has(item));
}

function named(endpoints: readonly string[]): string {
  const names = endpoints.slice(0, NAMED).map(bare).join(', ');
  return endpoints.length > NAMED ? `${names} and ${String(endpoints.length - NAMED)} more` : names;
}

/** The canonical form, in which two spellings of one endpoint are the same; what cannot be read stays as it is. */
function meant(text: string): string {
  try {
    return endpointText(parseEndpoint(text));
  } catch {
    return text;
  }
}
