import type { Request } from 'express';
import type { DirectoryStatus } from '../directory/directory.js';
import { coordinatorEndpoint, serverEndpoint } from '../endpoint/listable.js';
import type { ServerRole } from '../options/rules.js';
import type { EndpointSyntaxError } from '../endpoint/endpoint.js';
import { within } from '../request/deadline.js';
import { bare } from '../text/shown.js';
import type { EndpointQuery } from '../index.js';
import type { History, Past } from './history.js';
import type { PageHealth, PageSettings } from './options.js';

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
  /** Entries of the provider that are skipped, and why. */
  readonly skipped: readonly { readonly text: string; readonly reason: string }[];
  /** Why there is no list; nothing when there is one. */
  readonly problem: string | undefined;
}

/** One endpoint of a listing, or one that was on it. */
export interface Row {
  readonly endpoint: string;
  readonly isListed: boolean;
  readonly health: PageHealth | undefined;
  readonly past: Past | undefined;
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
      cluster === undefined
        ? undefined
        : { ...cluster, rows: clusterRows(cluster.endpoints, status?.endpoints ?? [], history) },
    server: { ...server, rows: server.endpoints.map((endpoint) => row(endpoint)) },
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

/** What the provider gives for one listing, as the router would list it. */
async function listOf(
  listing: ListingName,
  { provider, timeoutMs }: PageSettings,
  req: Request,
): Promise<Omit<ListingView, 'rows'> & { readonly endpoints: readonly string[] }> {
  try {
    const late = (): Error => new TimeoutError(`the provider took longer than ${String(timeoutMs)} ms`);
    const ask = (signal: AbortSignal) => provider({ listing, database: '_system', req, signal });
    const given = await within(timeoutMs, undefined, ask, late);
    return { ...readList(listing, given), problem: undefined };
  } catch (error) {
    return { endpoints: [], skipped: [], problem: problemOf(error) };
  }
}

function readList(
  listing: ListingName,
  given: Iterable<unknown>,
): { endpoints: string[]; skipped: ListingView['skipped'] } {
  const canonical = listing === 'cluster' ? coordinatorEndpoint : serverEndpoint;
  if (typeof given === 'string') throw new TypeError('a text is no list');
  const endpoints = new Set<string>();
  const skipped: { text: string; reason: string }[] = [];
  for (const item of given) {
    const text = String(item);
    try {
      endpoints.add(canonical(text));
    } catch (error) {
      // They throw nothing else.
      skipped.push({ text: bare(text), reason: (error as EndpointSyntaxError).reason });
    }
  }
  return { endpoints: [...endpoints], skipped };
}

/** Only what a provider means for others to read; the rest is for the log of the host application. */
function problemOf(error: unknown): string {
  const { expose, message, status } = Object(error) as { expose?: unknown; message?: unknown; status?: unknown };
  if (error instanceof TimeoutError) return error.message;
  return expose === true ? `${String(status)}: ${String(message)}` : 'the provider failed';
}

class TimeoutError extends Error {}

/** First who is listed, in the order of the list; then who is not because its checks fail; then who has left. */
function clusterRows(listed: readonly string[], health: readonly PageHealth[], history: History): readonly Row[] {
  const healthOf = new Map(health.map((item) => [item.endpoint, item]));
  const down = health.map(({ endpoint }) => endpoint);
  const left = history.left().map(({ endpoint }) => endpoint);
  return [...new Set([...listed, ...down, ...left])].map((endpoint, index) => ({
    endpoint,
    isListed: index < listed.length,
    health: healthOf.get(endpoint),
    past: history.of(endpoint),
  }));
}

function row(endpoint: string): Row {
  return { endpoint, isListed: true, health: undefined, past: undefined };
}
