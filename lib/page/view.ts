import type { Request } from 'express';
import type { DirectoryEntry, DirectoryStatus, EntryCheck } from '../directory/directory.js';
import type { ServerRole } from '../options/role.js';
import { listed, NONE_LISTED } from '../listing/listed.js';
import { within } from '../request/deadline.js';
import { bare } from '../text/shown.js';
import type { EndpointQuery } from '../index.js';
import type { History, Past } from './history.js';
import type { PageSettings } from './options.js';

/** The drivers that endpoints break. */
type Broken = ReadonlyMap<string, readonly string[]>;
const NONE_BROKEN: Broken = new Map();

type ListingName = EndpointQuery['listing'];

/** All that one page shows. */
export interface View {
  readonly title: string;
  /** Nothing when the role function of the host application failed. */
  readonly role: ServerRole | undefined;
  readonly directory: DirectoryStatus | undefined;
  /** Nothing on a server that is no coordinator. */
  readonly cluster: ListingView | undefined;
  readonly server: ListingView;
  /** When the page was made, and when the first list was seen, in ms of `performance.now()`. */
  readonly now: number;
  readonly startedAt: number;
}

/** One listing. */
export interface ListingView {
  readonly rows: readonly Row[];
  /** Entries that are skipped, and why; without a text what translation has skipped, whose address is not for everybody. */
  readonly skipped: readonly { readonly text?: string; readonly reason: string }[];
  /** Why there is no list; nothing when there is one. */
  readonly problem: string | undefined;
}

/** One endpoint of a listing, or one that was on it. */
export interface Row {
  readonly endpoint: string;
  readonly isListed: boolean;
  readonly health: EntryCheck | undefined;
  readonly past: Past | undefined;
  /** Which drivers it breaks, and how; none where that is not asked for. */
  readonly drivers: readonly string[];
}

/** Looks at everything that the page shows. Never rejects: what fails is part of what is shown. */
export async function viewOf(settings: PageSettings, history: History, req: Request): Promise<View> {
  const role = currentRole(settings);
  const status = settings.directory?.status();
  const [cluster, server] = await Promise.all([
    role === 'coordinator' ? listOf('cluster', settings, req) : undefined,
    listOf('server', settings, req),
  ]);
  const now = performance.now();
  if (cluster?.problem === undefined && cluster !== undefined) history.observe(cluster.endpoints, now);
  return {
    title: settings.title,
    role,
    directory: status,
    cluster:
      cluster === undefined ? undefined : { ...cluster, rows: clusterRows(cluster, status?.entries ?? [], history) },
    server: { ...server, rows: server.endpoints.map((endpoint) => row(endpoint, server.broken)) },
    now,
    startedAt: history.startedAt ?? now,
  };
}

function currentRole({ role }: PageSettings): ServerRole | undefined {
  try {
    return role();
  } catch {
    return undefined;
  }
}

/** The endpoints of one listing, and what they do to drivers. */
interface Given {
  readonly endpoints: readonly string[];
  readonly broken: Broken;
}

/** What the provider gives for one listing, as the router lists it. */
async function listOf(
  listing: ListingName,
  { provider, timeoutMs, drivers }: PageSettings,
  req: Request,
): Promise<Omit<ListingView, 'rows'> & Given> {
  try {
    const late = (): Error => new TimeoutError(`the provider took longer than ${String(timeoutMs)} ms`);
    const ask = (signal: AbortSignal) => provider({ listing, database: '_system', req, signal });
    const given = await within(timeoutMs, undefined, ask, late);
    const { endpoints, skippedBefore, skippedHere, isAllSkipped } = listed(listing, given);
    const reasons = new Set(skippedBefore.map(({ reason = 'the provider has skipped it' }) => reason));
    return {
      endpoints,
      skipped: [
        ...Array.from(reasons, (reason) => ({ reason })),
        ...skippedHere.map(({ entry, refusal: { reason } }) => ({ text: bare(entry), reason })),
      ],
      broken: drivers ? (await import('../drivers/index.js')).brokenBy(listing, endpoints) : NONE_BROKEN,
      problem: isAllSkipped ? `${NONE_LISTED}. The route answers 500.` : undefined,
    };
  } catch (error) {
    return { endpoints: [], skipped: [], broken: NONE_BROKEN, problem: problemOf(error) };
  }
}

/** Only what a provider means for others to read; the rest is for the log of the host application. */
function problemOf(error: unknown): string {
  const { expose, message, status } = Object(error) as { expose?: unknown; message?: unknown; status?: unknown };
  if (error instanceof TimeoutError) return error.message;
  return expose === true ? `${String(status)}: ${String(message)}` : 'the provider failed';
}

class TimeoutError extends Error {}

/** First who is listed, in the order of the list; then who is not because its checks fail; then who has left. */
function clusterRows(
  { endpoints: listed, broken }: Given,
  entries: readonly DirectoryEntry[],
  history: History,
): readonly Row[] {
  const checks = checksOf(entries);
  const left = history.left().map(({ endpoint }) => endpoint);
  return [...new Set([...listed, ...checks.keys(), ...left])].map((endpoint, index) => ({
    ...row(endpoint, broken),
    isListed: index < listed.length,
    health: checks.get(endpoint),
    past: history.of(endpoint),
  }));
}

/** By the endpoint that clients get; where several sources have it, of one that is healthy. */
function checksOf(entries: readonly DirectoryEntry[]): ReadonlyMap<string, EntryCheck> {
  const checks = new Map<string, EntryCheck>();
  for (const { endpoint, check } of entries) {
    if (endpoint === undefined || check === undefined) continue;
    if (checks.get(endpoint)?.state !== 'up') checks.set(endpoint, check);
  }
  return checks;
}

function row(endpoint: string, broken: Broken): Row {
  return { endpoint, isListed: true, health: undefined, past: undefined, drivers: broken.get(endpoint) ?? [] };
}
