import type { EndpointSyntaxError } from '../endpoint/endpoint.js';
import { coordinatorEndpoint, serverEndpoint } from '../endpoint/listable.js';
import { copyOf, skippedIn, type Entries } from './lists.js';

/** What a list comes to in one of the listings. */
export interface Listed {
  /** The list as it was read. */
  readonly entries: Entries;
  /** What is listed, in the form of the listing, each once. */
  readonly endpoints: readonly string[];
  /** Why the maker of the list has skipped entries. */
  readonly skippedBefore: readonly (Error & { readonly reason?: string })[];
  /** What is skipped here. */
  readonly skippedHere: readonly { readonly entry: unknown; readonly refusal: EndpointSyntaxError }[];
  /** Whether there are entries and all of them are skipped: that is no empty listing, but a failure. */
  readonly isAllSkipped: boolean;
}

/** What is said of a list of which everything is skipped. */
export const NONE_LISTED = 'none of the endpoints that the provider gave can be listed';

/**
 * The one meaning of a list that a provider gave: for the router, which serves it, and for all that show or count what is served.
 *
 * @throws As {@link copyOf} does.
 */
export function listed(listing: 'cluster' | 'server', given: unknown): Listed {
  const canonical = listing === 'cluster' ? coordinatorEndpoint : serverEndpoint;
  const entries = copyOf(given);
  const endpoints = new Set<string>();
  const skippedBefore = skippedIn(given as object);
  const skippedHere: { entry: unknown; refusal: EndpointSyntaxError }[] = [];
  for (const entry of entries) {
    try {
      endpoints.add(canonical(entry as string));
    } catch (refusal) {
      // They throw nothing else.
      skippedHere.push({ entry, refusal: refusal as EndpointSyntaxError });
    }
  }
  const isAllSkipped = endpoints.size === 0 && entries.length + skippedBefore.length > 0;
  return { entries, endpoints: [...endpoints], skippedBefore, skippedHere, isAllSkipped };
}
