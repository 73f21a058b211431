/**
 * Why there is no listing.
 *
 * - `refused`: the server answered, with an error body or with another status than 200.
 * - `malformed`: the answer is not a listing: its content type, its JSON or its shape is wrong.
 * - `redirected`: the answer points elsewhere. Redirects are not followed, so that credentials stay with the server they are for.
 * - `too-large`: the body is longer than `maxBytes`.
 * - `timeout`: the answer was not complete within `timeout` milliseconds.
 * - `unreachable`: no complete answer came: connection refused or broken off, unknown host, certificate not trusted.
 */
export type ListingErrorKind = 'refused' | 'malformed' | 'redirected' | 'too-large' | 'timeout' | 'unreachable';

/** What the server said about a refusal: the attributes of its error body (behaviour, section 5). */
export interface ListingErrorDetails {
  /** The HTTP status: as the error body names it, or else that of the answer. */
  readonly code?: number | undefined;
  /** The number by which drivers tell errors apart, such as 1230: only in `_system`, or 9: not a Coordinator. */
  readonly errorNum?: number | undefined;
  /** The server's own words, as sent. */
  readonly errorMessage?: string | undefined;
}

/** A listing that could not be had or read. No message carries a user, a password or a request header. */
export class ListingError extends Error {
  override readonly name = 'ListingError';
  readonly kind: ListingErrorKind;
  // Declared only: what the server did not send is no property of the error.
  declare readonly code?: number;
  declare readonly errorNum?: number;
  declare readonly errorMessage?: string;

  constructor(kind: ListingErrorKind, message: string, details: ListingErrorDetails = {}, options?: ErrorOptions) {
    super(message, options);
    this.kind = kind;
    const { code, errorNum, errorMessage } = details;
    if (code !== undefined) this.code = code;
    if (errorNum !== undefined) this.errorNum = errorNum;
    if (errorMessage !== undefined) this.errorMessage = errorMessage;
  }
}
