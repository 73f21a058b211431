import type { EndpointSyntaxError } from '../endpoint/endpoint.js';
import { coordinatorEndpoint, serverEndpoint } from '../endpoint/listable.js';
import { inTurns } from '../request/in-turns.js';
import { copyOf, skippedIn, type Entries } from './lists.js';

/** The outcome of a list in one of the two listings. */
export interface Listed {
  /** The list as it was read. */
  readonly entries: Entries;
  /** The listed endpoints, in the form of the listing, each once. */
  readonly endpoints: readonly string[];
  /** Why the source of the list skipped entries. */
  readonly skippedBefore: readonly (Error & { readonly reason?: string })[];
  /** The entries that are skipped here. */
  readonly skippedHere: readonly { readonly entry: unknown; readonly refusal: EndpointSyntaxError }[];
  /** Whether there are entries but all are skipped: a failure, not an empty listing. */
  readonly isAllSkipped: boolean;
}

/** The message for a list of which every entry is skipped. */
export const NONE_LISTED = 'none of the endpoints that the provider gave can be listed';

/** An entry in the form of the listing, or why it is skipped. */
type Read = string | Listed['skippedHere'][number];

/** Reads one entry. */
export function readerOf(listing: 'cluster' | 'server'): (entry: unknown) => Read {
  const canonical = listing === 'cluster' ? coordinatorEndpoint : serverEndpoint;
  return (entry) => {
    try {
      return canonical(entry as string);
    } catch (refusal) {
      // They throw nothing else.
      return { entry, refusal: refusal as EndpointSyntaxError };
    }
  };
}

/**
 * Decides what a provider's list means: for the router, which serves it, and for everything that shows or counts what is served.
 *
 * @param read - What {@link readerOf} made of each entry, where that is known.
 * @throws As {@link copyOf} does.
 */
export function listed(
  listing: 'cluster' | 'server',
  given: unknown,
  entries = copyOf(given),
  read = entries.map(readerOf(listing)),
): Listed {
  const endpoints = new Set<string>();
  const skippedBefore = skippedIn(given as object);
  const skippedHere: Exclude<Read, string>[] = [];
  for (const each of read) {
    if (typeof each === 'string') endpoints.add(each);
    else skippedHere.push(each);
  }
  const isAllSkipped = endpoints.size === 0 && entries.length + skippedBefore.length > 0;
  return { entries, endpoints: [...endpoints], skippedBefore, skippedHere, isAllSkipped };
}

/** As `listed`, in several turns of the event loop: for the page and the metrics, which may take their time. */
export async function listedInTurns(listing: 'cluster' | 'server', given: unknown): Promise<Listed> {
  const entries = copyOf(given);
  return listed(listing, given, entries, await inTurns(entries, readerOf(listing)));
}
