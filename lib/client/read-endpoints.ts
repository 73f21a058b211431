import { shown } from '../text/shown.js';
import { ListingError } from './listing-error.js';
import { ownValue, refusal } from './refusal.js';

/** The attribute that servers send, and the one that the prose of the interface names (interface, section 2). */
const ENDPOINT_NAMES = ['endpoint', 'entrypoint'];
/** A Coordinator's address inside the cluster, which the reference server puts beside an advertised endpoint. */
const INTERNAL_NAME = 'internal';

/**
 * Reads the body of a listing, `{ "error": false, "code": 200, "endpoints": [...] }` or `[...]`.
 *
 * Of each entry it takes the attribute `endpoint`, or else `entrypoint`, or else the only one there is; `internal` never
 * counts. The strings come back as sent, in the order sent: neither normalised nor checked, so that one odd entry hides no
 * other. `parseEndpoint` tells what a string means, and refuses what nobody could connect to.
 *
 * @param body - The parsed JSON of either route, `GET /_api/cluster/endpoints` or `GET /_api/endpoint`.
 * @throws {@link ListingError} of kind `refused` for an error body (`error` is `true`), with its `code`, `errorNum` and
 *   `errorMessage`; of kind `malformed` for anything else that is not a listing, saying what is wrong and where.
 * @see Interface, section 2.
 */
export function readEndpoints(body: unknown): string[] {
  const [entries, name] = Array.isArray(body) ? [body as unknown[], ''] : [clusterEntries(body), 'endpoints'];
  return Array.from(entries, (entry, index) => endpointOf(entry, `${name}[${String(index)}]`));
}

function clusterEntries(body: unknown): unknown[] {
  if (typeof body !== 'object' || body === null) {
    throw new ListingError('malformed', `the body must be an array or an object, got ${shown(body)}`);
  }
  if (ownValue(body, 'error') === true) throw refusal(body);
  const endpoints = ownValue(body, 'endpoints');
  if (!Array.isArray(endpoints)) {
    throw new ListingError('malformed', `attribute "endpoints" must be an array, got ${shown(endpoints)}`);
  }
  return endpoints;
}

function endpointOf(entry: unknown, where: string): string {
  if (typeof entry !== 'object' || entry === null || Array.isArray(entry)) {
    throw new ListingError('malformed', `${where}: must be an object, got ${shown(entry)}`);
  }
  const name = endpointName(entry, where);
  const endpoint = ownValue(entry, name);
  if (typeof endpoint !== 'string' || endpoint === '') {
    const got = `got ${shown(endpoint)}`;
    throw new ListingError('malformed', `${where}: attribute ${shown(name)} must be a non-empty string, ${got}`);
  }
  return endpoint;
}

function endpointName(entry: object, where: string): string {
  const known = ENDPOINT_NAMES.find((name) => Object.hasOwn(entry, name));
  if (known !== undefined) return known;
  const [only, ...others] = Object.keys(entry).filter((name) => name !== INTERNAL_NAME);
  if (only === undefined) throw new ListingError('malformed', `${where}: has no attribute that holds an endpoint`);
  if (others.length > 0) {
    const count = String(others.length + 1);
    throw new ListingError('malformed', `${where}: has ${count} attributes, and none is called "endpoint"`);
  }
  return only;
}
