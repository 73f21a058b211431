import type { IncomingMessage, ServerResponse } from 'node:http';
import type { EndpointDirectory } from './directory.js';
import createError from 'http-errors';

/**
 * Middleware that marks answers made from a stale list with `X-Endpoint-List-Age: <seconds>`: whole seconds since the registry
 * last confirmed the list, as `Age` of RFC 9111 counts them. While the list is live there is no such header. While it is
 * expired, which the router answers with 503, `Retry-After: 1` (RFC 9110, section 10.2.3) says when to ask again.
 *
 * The bodies of the routes are fixed, so the mark can only be a header, and the router passes on no header of a provider's
 * error; mount it where the router is mounted, before it: `app.use(listAge(directory), router)`.
 */
export function listAge(
  directory: Pick<EndpointDirectory, 'status'>,
): (req: IncomingMessage, res: ServerResponse, next: () => void) => void {
  return (_req, res, next) => {
    const { state, ageMs } = directory.status();
    if (state === 'stale') res.setHeader('X-Endpoint-List-Age', Math.floor(ageMs / 1000));
    if (state === 'expired') res.setHeader('Retry-After', '1');
    next();
  };
}

/** ArangoDB's TRI_ERROR_CLUSTER_BACKEND_UNAVAILABLE. */
const CLUSTER_BACKEND_UNAVAILABLE = 1478;

/** The answer of a directory that has no list it can stand by. The text is fixed, so that it may reach a client. */
export function backendUnavailable(): Error {
  return createError(503, 'cluster backend unavailable', {
    errorNum: CLUSTER_BACKEND_UNAVAILABLE,
    expose: true,
  });
}
