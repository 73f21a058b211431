import { kindsOf, type AnswerKinds, type ListingAnswer } from './answer.js';
import {
  DRIVERS,
  hostAndPort,
  KINDS,
  OUTCOMES,
  TAKEN_FOR,
  type DriverVersions,
  type Kind,
  type Outcome,
} from './rules.js';

/** One effect of a response on a driver. */
export interface DriverFinding {
  /** A kind of answers: `no-port`, `ipv6-two-colons`, `503/503`; docs/drivers.md has them all. */
  readonly kind: string;
  /** In words: `no port: skips it`. */
  readonly message: string;
  /** Whether it keeps an application from servers, or misleads it. */
  readonly breaks: boolean;
  /** The affected endpoints, as the listing has them; none if the response as a whole is affected. */
  readonly endpoints: readonly string[];
  /** Whether running the driver showed it, or reading its source. */
  readonly evidence: 'run' | 'read';
}

/** What some versions of a driver would do with a response. */
export interface DriverCheck {
  readonly driver: string;
  /** `7.4 to 7.26.0` */
  readonly versions: string;
  /** The versions that were run, or the source that was read. */
  readonly source: string;
  /** Whether any finding breaks it. */
  readonly breaks: boolean;
  /** Whether the call fails as a whole, or leaves no host that can be used. */
  readonly fails: boolean;
  /** Whether the driver stops refreshing for as long as the application runs. */
  readonly endsRefreshing: boolean;
  /** Whether it only hands the list to the application, and uses no host of it by itself. */
  readonly handsOn: boolean;
  /** Host and port of each server that it would use after this response. */
  readonly hosts: readonly string[];
  readonly misread: readonly { readonly endpoint: string; readonly as: string }[];
  readonly dropped: readonly string[];
  /** Entries with an unknown effect on it. */
  readonly unknown: readonly string[];
  readonly findings: readonly DriverFinding[];
}

/** The effect of an entry that is not used as intended. */
const DROPS = 'dn';
const UNUSABLE = 'xp';
const FAILURES = 'frpebcw';
const OWN_MACHINE = 'its own machine';

/** A finding, and the rule behind it. */
interface Found {
  readonly finding: DriverFinding;
  readonly outcome: Outcome;
  readonly of: Kind['of'];
}

/** What those drivers of `asked` that request this listing would do with a response. */
export function driverChecks(answer: ListingAnswer, asked: readonly DriverVersions[]): readonly DriverCheck[] {
  const seen = kindsOf(answer);
  return asked.filter(({ listing }) => listing === answer.listing).map((driver) => driverCheck(driver, seen));
}

function driverCheck(driver: DriverVersions, { endpoints, kinds, unknown }: AnswerKinds): DriverCheck {
  const found = [...kinds].flatMap(([kind, about]) => foundOf(driver, kind, about));
  const entriesThat = (outcomes: string): readonly string[] =>
    found
      .filter(({ of, outcome }) => of === 'entry' && outcomes.includes(outcome))
      .flatMap(({ finding }) => finding.endpoints);
  const dropped = endpoints.filter((endpoint) => entriesThat(DROPS).includes(endpoint));
  const isNoneLeft = dropped.length > 0 && dropped.length === endpoints.length;
  const none = isNoneLeft ? foundOf(driver, 'none-left', []) : [];
  const all = [...found, ...none];
  const findings = all.map(({ finding }) => finding);
  const handsOn = letterOf(driver, 'one') === 'h';
  const fails = all.some(({ outcome }) => FAILURES.includes(outcome)) || none.some(({ finding }) => finding.breaks);
  const isKept = all.some(({ outcome, of }) => of !== 'entry' && 'kg'.includes(outcome));
  const misread = all.flatMap(misreadings);
  const gone = [...dropped, ...entriesThat(UNUSABLE)];
  const used = endpoints.filter((endpoint) => !gone.includes(endpoint));
  return {
    driver: driver.driver,
    versions: versionsOf(driver),
    source: `${driver.evidence === 'run' ? 'ran' : 'read'} ${driver.source}`,
    breaks: findings.some(({ breaks }) => breaks),
    fails,
    endsRefreshing: all.some(({ outcome }) => outcome === 'e'),
    handsOn,
    hosts: fails || handsOn || isKept ? [] : hostsOf(used, misread),
    misread,
    dropped,
    unknown: [...unknown, ...[...kinds].flatMap((kind) => notKnown(driver, ...kind))],
    findings,
  };
}

/** The hosts of the entries that are used, and what is mistaken for a host. */
function hostsOf(used: readonly string[], misread: DriverCheck['misread']): readonly string[] {
  const hosts = used.map((endpoint) => {
    const as = misread.find((each) => each.endpoint === endpoint)?.as ?? '';
    return hostAndPort(/:\d+$/.test(as) ? as : endpoint);
  });
  const more = misread.filter(({ as }) => as === 'a host').map(({ endpoint }) => hostAndPort(endpoint));
  return [...new Set([...hosts, ...more])];
}

function misreadings({ outcome, finding: { kind, endpoints } }: Found): DriverCheck['misread'] {
  const as = { o: 'a host', l: OWN_MACHINE, m: TAKEN_FOR[kind] }[outcome as string];
  if (as === undefined) return [];
  return endpoints.map((endpoint) => ({ endpoint, as: typeof as === 'string' ? as : as(endpoint) }));
}

/** `undefined` if it is used as it is, or if that is unknown. */
function foundOf(driver: DriverVersions, name: string, endpoints: readonly string[]): readonly Found[] {
  const letter = letterOf(driver, name);
  const known = KINDS.find(({ kind }) => kind === name);
  if (known === undefined || 'uh?'.includes(letter)) return [];
  const outcome = letter.toLowerCase() as Outcome;
  const { words, breaks } = OUTCOMES[outcome];
  const evidence = letter === outcome ? driver.evidence : 'read';
  return [
    {
      finding: { kind: name, message: `${known.words}: ${words}`, breaks, endpoints, evidence },
      outcome,
      of: known.of,
    },
  ];
}

/** The endpoints of a kind with an unknown effect on this driver, or the kind itself if it has none. */
function notKnown(driver: DriverVersions, name: string, endpoints: readonly string[]): readonly string[] {
  if (letterOf(driver, name) !== '?') return [];
  return endpoints.length === 0 ? [name] : endpoints;
}

function letterOf(driver: DriverVersions, name: string): string {
  return KINDS.find(({ kind }) => kind === name)?.outcomes[DRIVERS.indexOf(driver)] ?? '?';
}

/** `7.4 to 7.26.0`, or the only one. */
export function versionsOf({ versions: [first, last] }: DriverVersions): string {
  return first === last ? first : `${first} to ${last}`;
}

/** For each endpoint that breaks drivers: which ones, and how, such as `java: misreads it`. */
export function brokenBy(
  listing: DriverVersions['listing'],
  endpoints: readonly string[],
): ReadonlyMap<string, readonly string[]> {
  const entries = endpoints.map((endpoint) => ({ endpoint }));
  const body = Buffer.from(JSON.stringify(listing === 'cluster' ? { endpoints: entries } : entries));
  const found = new Map<string, Set<string>>();
  for (const { driver, findings } of driverChecks({ listing, asked: '', status: 200, headers: {}, body }, DRIVERS)) {
    // A finding that breaks nothing names no endpoint.
    for (const { message, endpoints: about } of findings) {
      for (const endpoint of about) {
        const marks = found.get(endpoint) ?? new Set();
        found.set(endpoint, marks.add(`${driver}: ${message.replace(/^.*: /, '')}`));
      }
    }
  }
  return new Map(Array.from(found, ([endpoint, marks]) => [endpoint, [...marks]]));
}
