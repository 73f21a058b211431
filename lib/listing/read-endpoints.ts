import { shown } from '../text/shown.js';
import { ListingError, ownValue, refused } from './listing-error.js';

/** The attribute that servers send, and the one in the interface's own documentation. */
const ENDPOINT_NAMES = ['endpoint', 'entrypoint'];
/** A Coordinator's address inside the cluster, which the reference server adds to an advertised endpoint. */
const INTERNAL_NAME = 'internal';

/**
 * Reads the body of a listing, `{ "error": false, "code": 200, "endpoints": [...] }` or `[...]`.
 *
 * From each entry it takes the attribute `endpoint`, else `entrypoint`, else the only one; it ignores `internal`. The strings come back as
 * sent, in order, neither normalised nor checked, so that one malformed entry does not hide the rest. Check them with `parseEndpoint`.
 *
 * @param body - The parsed JSON of either route, `GET /_api/cluster/endpoints` or `GET /_api/endpoint`.
 * @param onSkipped - Called for each entry without an endpoint, which is then skipped. Without it, one such entry fails the whole
 *   listing.
 * @throws {@link ListingError} of kind `refused` for an error body (`error` is `true`), with its `code`, `errorNum` and
 *   `errorMessage`; of kind `malformed` for anything else that is not a listing, saying what is wrong and where.
 */
export function readEndpoints(body: unknown, onSkipped?: (reason: ListingError) => void): string[] {
  const [entries, name] = Array.isArray(body) ? [body as unknown[], ''] : [clusterEntries(body), 'endpoints'];
  const endpoints: string[] = [];
  for (const [index, entry] of entries.entries()) {
    const read = endpointInEntry(entry);
    if (typeof read === 'string') endpoints.push(read);
    else if (onSkipped !== undefined) onSkipped(new ListingError('malformed', read.reason));
    else throw new ListingError('malformed', `${name}[${String(index)}]: ${read.reason}`);
  }
  return endpoints;
}

function clusterEntries(body: unknown): unknown[] {
  if (typeof body !== 'object' || body === null) {
    throw new ListingError('malformed', `the body must be an array or an object, got ${shown(body)}`);
  }
  if (ownValue(body, 'error') === true) throw refused(body);
  const endpoints = ownValue(body, 'endpoints');
  if (!Array.isArray(endpoints)) {
    throw new ListingError('malformed', `attribute "endpoints" must be an array, got ${shown(endpoints)}`);
  }
  return endpoints;
}

/** The endpoint of an entry, or why it has none. */
function endpointInEntry(entry: unknown): string | { readonly reason: string } {
  if (typeof entry !== 'object' || entry === null || Array.isArray(entry)) {
    return { reason: `must be an object, got ${shown(entry)}` };
  }
  const known = ENDPOINT_NAMES.find((name) => Object.hasOwn(entry, name));
  const names = known === undefined ? Object.keys(entry).filter((name) => name !== INTERNAL_NAME) : [known];
  const [name] = names;
  if (name === undefined) return { reason: 'has no attribute that holds an endpoint' };
  if (names.length > 1) return { reason: `has ${String(names.length)} attributes, and none is called "endpoint"` };
  const endpoint = ownValue(entry, name);
  if (typeof endpoint === 'string' && endpoint !== '') return endpoint;
  return { reason: `attribute ${shown(name)} must be a non-empty string, got ${shown(endpoint)}` };
}
