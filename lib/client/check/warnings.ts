import { endpointText, SCHEMES, type Endpoint } from '../../endpoint/endpoint.js';
import { parseEndpoint } from '../../endpoint/parse.js';
import { createReachOf, type Reach } from '../../endpoint/address-range.js';
import { inTurns } from '../../request/in-turns.js';
import type { ListingWarning, ListingWarningKind } from './result.js';
import type { Attempt } from './try-endpoint.js';

type Tried = Pick<Attempt, 'endpoint' | 'peer'>;

/** The data for the warnings. */
export interface Findings {
  /** The listing before and, if there was a response, after all endpoints were tried. */
  readonly first: Listing;
  readonly second: Listing | undefined;
  /** The connected address of the first server, or its name if there is none. */
  readonly askedAddress: string;
  readonly attempts: readonly Tried[];
  /** What the server lists where it is asked without the caller's `Host`, if that is another list. */
  readonly otherList?: readonly string[];
}

/** A listing as received. */
export interface Listing {
  readonly endpoints: readonly string[];
  /** The endpoints whose entries have an attribute `internal`. */
  readonly withInternal: readonly string[];
}

/** The problems of the list as a whole, the worst first. */
export async function warningsOf(findings: Findings): Promise<readonly ListingWarning[]> {
  const { first, second, askedAddress, attempts, otherList = [] } = findings;
  const { endpoints, withInternal } = first;
  const reachOf = createReachOf();
  const parsed = (await inTurns(attempts, (attempt) => parsedEndpoint(attempt, reachOf))).flat();
  const asked = reachOf(askedAddress);
  const at = (reach: Reach): readonly string[] => parsed.filter((one) => one.reach === reach).map(({ text }) => text);
  const found: ListingWarning[] = [];
  const warn = (kind: ListingWarningKind, breaksDrivers: boolean, about: readonly string[], message: string): void => {
    if (about.length > 0) found.push({ kind, breaksDrivers, message, endpoints: about });
  };

  if (endpoints.length === 0) {
    found.push({
      kind: 'empty',
      breaksDrivers: true,
      message: 'the list is empty: the Go driver fails',
      endpoints: [],
    });
  }
  warn('wildcard', true, at('wildcard'), 'a wildcard address: a driver reaches its own machine there');
  if (asked !== 'loopback') {
    warn('loopback', true, at('loopback'), 'a loopback address: a driver on another machine reaches itself there');
  }
  if (asked === 'public') {
    warn('private', false, at('private'), 'a private address, while the server that lists it has a public one');
  }
  warn('internal', true, withInternal, 'an attribute "internal": the Java driver 5.0 to 6.8.0 takes it for a host');
  const secure = parsed.filter(({ endpoint }) => SCHEMES[endpoint.scheme].isTls).map(({ text }) => text);
  const plain = parsed.filter(({ endpoint: { scheme } }) => !SCHEMES[scheme].isTls && !SCHEMES[scheme].isSocketFile);
  if (plain.length > 0) {
    warn(
      'mixed-schemes',
      true,
      secure,
      'some endpoints with TLS, some without: the Java driver uses one of the two for all',
    );
  }
  for (const names of sameServer(parsed)) {
    warn(
      'same-server',
      false,
      names,
      `one server, listed ${names.length === 2 ? 'twice' : `${String(names.length)} times`}`,
    );
  }
  if (second !== undefined && isReordered(endpoints, second.endpoints)) {
    warn('order', false, endpoints, 'two answers had different orders: the first endpoint is no fixed one');
  }
  warn('host', false, otherList, 'without this Host, the server has another list: which one depends on the name');
  return found;
}

/** A valid entry, and the address that it led to. */
interface Parsed {
  readonly text: string;
  readonly endpoint: Endpoint;
  readonly reach: Reach | undefined;
  readonly peer: string;
}

function parsedEndpoint({ endpoint: text, peer }: Tried, reachOf: ReturnType<typeof createReachOf>): Parsed[] {
  try {
    const endpoint = parseEndpoint(text);
    return [{ text, endpoint, reach: reachOf(endpoint.host), peer }];
  } catch {
    // The result of the endpoint says so.
    return [];
  }
}

function sameServer(parsed: readonly Parsed[]): readonly (readonly string[])[] {
  const byServer = new Map<string, string[]>();
  for (const { text, endpoint, peer } of parsed) {
    const server = peer === '' ? endpointText(endpoint) : peer;
    const names = byServer.get(server);
    if (names === undefined) byServer.set(server, [text]);
    else names.push(text);
  }
  return [...byServer.values()].filter((names) => names.length > 1);
}

function isReordered(first: readonly string[], second: readonly string[]): boolean {
  const isSame = first.length === second.length && first.every((item, index) => item === second[index]);
  return !isSame && [...first].sort().join(' ') === [...second].sort().join(' ');
}
