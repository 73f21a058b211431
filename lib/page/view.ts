import type { Request } from 'express';
import type { DirectoryEntry, DirectoryStatus, EntryCheck } from '../directory/directory.js';
import type { ServerRole } from '../options/role.js';
import { NONE_LISTED, type Listed, listedInTurns } from '../listing/listed.js';
import { within } from '../request/deadline.js';
import { anotherTurn } from '../request/in-turns.js';
import { bare } from '../text/shown.js';
import type { EndpointQuery } from '../index.js';
import type { History, Past } from './history.js';
import type { PageDirectory, PageSettings } from './options.js';

type Broken = ReadonlyMap<string, readonly string[]>;
const NONE_BROKEN: Broken = new Map();

type ListingName = EndpointQuery['listing'];

/** All that one page shows. */
export interface View {
  readonly title: string;
  /** Nothing when the role function of the host application failed. */
  readonly role: ServerRole | undefined;
  readonly directory: DirectoryStatus | undefined;
  /** Whether entries are checked, and none of them is healthy. */
  readonly areAllDown: boolean;
  /** Nothing on a server that is no coordinator. */
  readonly cluster: ListingView | undefined;
  /** Nothing where it has the endpoints of the other listing. */
  readonly server: ListingView | undefined;
  readonly showSources: boolean;
  /** Where the routes are, seen from the page: `../`. */
  readonly root: string;
  /** When the page was made, and when the first list was seen, in ms of `performance.now()`. */
  readonly now: number;
  readonly startedAt: number;
}

/** One listing. */
export interface ListingView {
  /** How many endpoints are listed; nothing when that is not known. */
  readonly count: number | undefined;
  /** Problems first. */
  readonly rows: readonly Row[];
  readonly skipped: readonly Skipped[];
  /** Why there is no list; nothing when there is one. */
  readonly problem: string | undefined;
}

/** An entry that is skipped; without a text where that is not known. */
export interface Skipped {
  readonly text?: string;
  readonly reason: string;
}

/** One endpoint of a listing, or one that was on it. */
export interface Row {
  readonly endpoint: string;
  /** `unserved`: it would be listed, but there is no response with a list. */
  readonly state: 'listed' | 'down' | 'unserved' | 'left';
  readonly check: EntryCheck | undefined;
  /** Where it comes from, if that is another endpoint. */
  readonly sources: readonly string[];
  readonly past: Past | undefined;
  /** Which drivers it breaks, and how; none where that is not asked for. */
  readonly drivers: readonly string[];
}

type Given = Pick<ListingView, 'problem' | 'skipped'> & {
  readonly endpoints: readonly string[] | undefined;
  /** Those of the directory when the provider answered. */
  readonly entries: readonly DirectoryEntry[];
  /** How many changes of it the history had heard of then. */
  readonly heard: number;
  readonly broken: Broken;
};

/** Looks at everything that the page shows. Never rejects: what fails is part of what is shown. */
export async function viewOf(settings: PageSettings, history: History, req: Request): Promise<View> {
  const role = currentRole(settings);
  const [cluster, server] = await Promise.all([
    role === 'coordinator' ? clusterOf(settings, history, req) : undefined,
    listOf('server', settings, history, req),
  ]);
  const areSame = cluster?.count !== undefined && isSameListing(cluster.rows, server.endpoints ?? []);
  const checked = cluster?.rows.filter(({ state }) => state !== 'left') ?? [];
  return {
    title: settings.title,
    role,
    directory: settings.directory?.status(),
    areAllDown: checked.length > 0 && checked.every(({ check }) => check !== undefined && check.state !== 'up'),
    cluster,
    server: areSame && server.problem === undefined ? undefined : serverView(server),
    showSources: settings.showSources,
    root: '../'.repeat(req.baseUrl.split('/').length - 1),
    now: performance.now(),
    startedAt: history.startedAt ?? performance.now(),
  };
}

function currentRole({ role }: PageSettings): ServerRole | undefined {
  try {
    return role();
  } catch {
    return undefined;
  }
}

async function clusterOf(settings: PageSettings, history: History, req: Request): Promise<ListingView> {
  const {
    endpoints,
    problem,
    skipped,
    broken,
    entries: given,
    heard,
  } = await listOf('cluster', settings, history, req);
  await anotherTurn();
  const entries = history.judge(endpoints, given);
  // What is older than a change that it has heard of is no news.
  if (endpoints !== undefined && heard === history.heard) history.observe(endpoints, performance.now());
  const behind = entries.filter(({ state }) => state === 'skipped');
  return {
    count: endpoints?.length,
    rows: rowsOf(endpoints, entries, history, broken),
    skipped:
      behind.length === 0
        ? skipped
        : // What the directory has skipped the provider's list may name again, without a text.
          [
            ...behind.map(({ source: text, reason }) => ({ text, reason: String(reason) })),
            ...skipped.filter(({ text }) => text !== undefined),
          ],
    problem,
  };
}

const NO_ENTRIES: readonly DirectoryEntry[] = [];

/** A directory of another make may have no entries. */
export function entriesOf(directory: PageDirectory | undefined): readonly DirectoryEntry[] {
  const { entries = NO_ENTRIES }: Partial<DirectoryStatus> = directory?.status() ?? {};
  return entries;
}

/** What the provider gives for one listing, as the router lists it. */
async function listOf(
  listing: ListingName,
  { provider, timeoutMs, drivers, directory }: PageSettings,
  history: History,
  req: Request,
): Promise<Given> {
  try {
    const late = (): Error => new TimeoutError(`the provider took longer than ${String(timeoutMs)} ms`);
    const ask = (signal: AbortSignal) => provider({ listing, database: '_system', req, signal });
    const answer = await within(timeoutMs, undefined, ask, late);
    const entries = entriesOf(directory);
    const { heard } = history;
    const given = await listedInTurns(listing, answer);
    const { endpoints, isAllSkipped } = given;
    const broken = drivers ? (await import('../drivers/index.js')).brokenBy(listing, endpoints) : NONE_BROKEN;
    const skipped = skippedOf(given);
    if (!isAllSkipped) return { endpoints, skipped, problem: undefined, broken, entries, heard };
    return { endpoints: undefined, skipped, problem: `${NONE_LISTED}. The route answers 500.`, broken, entries, heard };
  } catch (error) {
    const entries = entriesOf(directory);
    return { endpoints: undefined, skipped: [], problem: problemOf(error), broken: NONE_BROKEN, entries, heard: 0 };
  }
}

function skippedOf({ skippedBefore, skippedHere }: Listed): readonly Skipped[] {
  return [
    ...skippedBefore.map(({ reason = 'the provider has skipped it' }) => ({ reason })),
    ...skippedHere.map(({ entry, refusal: { reason } }) => ({ text: bare(entry), reason })),
  ];
}

/** Only what a provider means for others to read; the rest is for the log of the host application. */
function problemOf(error: unknown): string {
  const { expose, message, status } = Object(error) as { expose?: unknown; message?: unknown; status?: unknown };
  if (error instanceof TimeoutError) return `${error.message}.`;
  return expose === true ? `${String(status)}: ${String(message)}` : "the provider failed. See the server's log.";
}

class TimeoutError extends Error {}

/** First what is down, then what is listed, then what is not served, then what has left; each in the order of its list. */
function rowsOf(
  served: readonly string[] | undefined,
  entries: readonly DirectoryEntry[],
  history: History,
  broken: Broken,
): readonly Row[] {
  const known = byEndpoint(entries);
  const isServed = new Set(served);
  const stateOf = (endpoint: string): Row['state'] => {
    if (isServed.has(endpoint)) return 'listed';
    const entry = known.get(endpoint);
    if (entry === undefined) return 'left';
    return entry.isDown ? 'down' : 'unserved';
  };
  const rows = Array.from(new Set([...isServed, ...known.keys(), ...history.left()]), (endpoint) => ({
    endpoint,
    state: stateOf(endpoint),
    check: known.get(endpoint)?.check,
    sources: known.get(endpoint)?.sources ?? [],
    past: history.of(endpoint),
    drivers: broken.get(endpoint) ?? [],
  }));
  const rank = (row: Row): number => (isProblem(row) ? 0 : row.state === 'left' ? 2 : 1);
  return rows.sort((one, other) => rank(one) - rank(other));
}

/** Whether a row is a problem. */
export function isProblem({ state, check }: Pick<Row, 'state' | 'check'>): boolean {
  return state !== 'left' && check?.state === 'down';
}

interface Known {
  readonly isDown: boolean;
  readonly check: EntryCheck | undefined;
  readonly sources: string[];
}

/** What is known of each endpoint that clients get; where several sources have it, the check is that of one that is healthy. */
function byEndpoint(entries: readonly DirectoryEntry[]): ReadonlyMap<string, Known> {
  const known = new Map<string, Known>();
  for (const { source, endpoint, state, check } of entries) {
    if (endpoint === undefined) continue;
    const before = known.get(endpoint);
    const sources = before?.sources ?? [];
    if (source !== endpoint) sources.push(source);
    const isBetter = before === undefined || (check?.state === 'up' && before.check?.state !== 'up');
    known.set(endpoint, {
      isDown: state === 'down' && before?.isDown !== false,
      check: isBetter ? check : before.check,
      sources,
    });
  }
  return known;
}

/** Whether both listings have the same endpoints; each writes the schemes in its own way. */
function isSameListing(rows: readonly Row[], endpoints: readonly string[]): boolean {
  const cluster = rows.filter(({ state }) => state === 'listed').map(({ endpoint }) => endpoint);
  const own = new Set(endpoints.map((endpoint) => endpoint.replace(/^http:/, 'tcp:').replace(/^https:/, 'ssl:')));
  return cluster.length === own.size && cluster.every((endpoint) => own.has(endpoint));
}

function serverView({ endpoints, broken, problem, skipped }: Given): ListingView {
  const row = (endpoint: string): Row => ({
    endpoint,
    state: 'listed',
    check: undefined,
    sources: [],
    past: undefined,
    drivers: broken.get(endpoint) ?? [],
  });
  return { problem, skipped, count: endpoints?.length, rows: (endpoints ?? []).map(row) };
}
