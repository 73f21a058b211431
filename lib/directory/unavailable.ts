import createError from 'http-errors';

/** ArangoDB's TRI_ERROR_CLUSTER_BACKEND_UNAVAILABLE. */
const CLUSTER_BACKEND_UNAVAILABLE = 1478;

/** The answer of a directory that has no list it can stand by. The text is fixed, so that it may reach a client. */
export function backendUnavailable(): Error {
  return createError(503, 'cluster backend unavailable', {
    errorNum: CLUSTER_BACKEND_UNAVAILABLE,
    expose: true,
  });
}
