/** Helpful reasons for the system's codes; other errors keep their own message. */
const REASONS: ReadonlyMap<string, string> = new Map([
  ['EADDRINUSE', 'address already in use'],
  ['EADDRNOTAVAIL', 'this machine has no such address'],
  ['EAFNOSUPPORT', 'this machine has no address of that family'],
  ['EAI_AGAIN', 'the host name cannot be resolved now, the name server gives no answer'],
  ['ENOTFOUND', 'the host name cannot be resolved'],
  ['EACCES', 'it is not permitted'],
  ['EPERM', 'it is not permitted'],
  ['ENOENT', 'the directory of the socket file does not exist'],
  ['ENOTDIR', 'the path leads through a file that is not a directory'],
  ['EROFS', 'the file system is read-only'],
]);

/**
 * One endpoint could not be bound, so none of the list is.
 *
 * The message names the endpoint, the reason in words and the code: `cannot listen on tcp://127.0.0.1:8529: address
 * already in use (EADDRINUSE)`. It never contains key material.
 */
export class ListenError extends Error {
  override readonly name = 'ListenError';

  /** The endpoint in canonical form, with the requested port. */
  readonly endpoint: string;

  /**
   * The code of the system: `EADDRINUSE`, `EACCES` (not permitted), `EADDRNOTAVAIL` (no such address here), `ENOTFOUND`
   * (no such name), `ENOENT` (no directory for the socket file), `EEXIST` (a file that is not a socket), and others.
   * `ERR_LISTEN_SSL` if key or certificate is missing, unreadable, or does not match.
   */
  readonly code: string;

  constructor(endpoint: string, code: string, reason: string, options?: ErrorOptions) {
    super(`cannot listen on ${endpoint}: ${reason} (${code})`, options);
    this.endpoint = endpoint;
    this.code = code;
  }
}

/** An error of the system: its code, and what it means here. */
export function refusedBySystem(endpoint: string, cause: NodeJS.ErrnoException): ListenError {
  const code = String(cause.code);
  return new ListenError(endpoint, code, REASONS.get(code) ?? cause.message, { cause });
}
