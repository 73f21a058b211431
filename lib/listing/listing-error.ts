import { reasonOf } from '../text/reason.js';
import type { DriverCheck } from '../drivers/driver-checks.js';
import { Secrets } from '../text/secrets.js';
import { shown } from '../text/shown.js';

/**
 * Why there is no listing.
 *
 * - `refused`: the response has an error body or a status other than 200.
 * - `malformed`: the response is not a listing: its content type, its JSON or its shape is wrong.
 * - `redirected`: the response is a redirect, which is not followed, so that credentials stay with their server.
 * - `too-large`: the body is longer than `maxBytes`.
 * - `timeout`: the response was not complete within `timeoutMs`.
 * - `unreachable`: there was no complete response: connection refused or broken off, unknown host, untrusted certificate.
 */
export type ListingErrorKind = 'refused' | 'malformed' | 'redirected' | 'too-large' | 'timeout' | 'unreachable';

/** The attributes of the server's error body. */
export interface ListingErrorDetails {
  /** The HTTP status from the error body, or else that of the response. */
  readonly code?: number | undefined;
  /** The number by which drivers tell errors apart, such as 1230: only in `_system`, or 9: not a Coordinator. */
  readonly errorNum?: number | undefined;
  /** The server's message, cut at 10,000 characters, with `***` for each secret of the request that it repeats. */
  readonly errorMessage?: string | undefined;
  /** What drivers would do with the response, if `checkEndpoints` has the option `drivers`. */
  readonly drivers?: readonly DriverCheck[] | undefined;
}

/**
 * A listing that could not be fetched or read.
 *
 * Neither the message nor `errorMessage` contains a user, a password, or a request header's value that may be secret, even if the server
 * repeats it, in another letter case, in base64 or escaped as in URLs, JSON and HTML. Texts shorter than 4 characters are not hidden.
 */
export class ListingError extends Error {
  override readonly name = 'ListingError';
  readonly kind: ListingErrorKind;
  // Only declared: the error has no property for what the server did not send.
  declare readonly code?: number;
  declare readonly errorNum?: number;
  declare readonly errorMessage?: string;
  declare readonly drivers?: readonly DriverCheck[];

  constructor(kind: ListingErrorKind, message: string, details: ListingErrorDetails = {}, options?: ErrorOptions) {
    super(message, options);
    this.kind = kind;
    const { code, errorNum, errorMessage, drivers } = details;
    if (code !== undefined) this.code = code;
    if (errorNum !== undefined) this.errorNum = errorNum;
    if (errorMessage !== undefined) this.errorMessage = errorMessage;
    if (drivers !== undefined) this.drivers = drivers;
  }
}

/**
 * The error of a response, with the `code`, `errorNum` and `errorMessage` that it has.
 *
 * @param body - The parsed body; anything but an error body is ignored.
 * @param status - The HTTP status, for a body without one.
 */
export function refused(body: unknown, status?: number): ListingError {
  const said = typeof body === 'object' && body !== null && ownValue(body, 'error') === true ? body : {};
  const details = {
    code: integerOrNothing(ownValue(said, 'code')) ?? status,
    errorNum: integerOrNothing(ownValue(said, 'errorNum')),
    errorMessage: textOrNothing(ownValue(said, 'errorMessage')),
  };
  return new ListingError('refused', refusalInWords(details), details);
}

function refusalInWords({ code, errorNum, errorMessage }: ListingErrorDetails): string {
  const numbers = [code, errorNum].filter((number) => number !== undefined).join(' / ');
  const withNumbers = numbers === '' ? '' : ` with ${numbers}`;
  const inWords = errorMessage === undefined ? '' : `: ${shown(errorMessage)}`;
  return `the server refused${withNumbers}${inWords}`;
}

/** The error for the caller: what went wrong and for which request, without any secret of `sent`. */
export function inContext(request: string, error: unknown, sent: Headers): ListingError {
  const safe = withoutSecrets(error, sent);
  if (safe instanceof ListingError) {
    const { kind, message, cause } = safe;
    return new ListingError(kind, `${request}: ${message}`, safe, cause === undefined ? {} : { cause });
  }
  const words = WITHOUT_TLS.test(String(reasonOf(causeOf(error))))
    ? `the server answers without TLS: try ${request.replace(/^.* https:(\/\/[^/]+).*/s, 'http:$1')}`
    : `no answer: ${secretsIn(sent).hide(reasonInWords(error))}`;
  return new ListingError('unreachable', `${request}: ${words}`, {}, { cause: error });
}

/** A `ListingError` without the secrets of `sent` that the server repeats; any other error unchanged. */
export function withoutSecrets<E>(error: E, sent: Headers): E | ListingError {
  const secrets = secretsIn(sent);
  if (!(error instanceof ListingError) || secrets.isEmpty) return error;
  const { kind, code, errorNum, errorMessage } = error;
  // Without the cause: a parser's message repeats a piece of the body.
  if (errorMessage === undefined) return new ListingError(kind, secrets.hide(error.message), error);
  // Made anew: a long message is cut, perhaps within a secret.
  const details = { code, errorNum, errorMessage: secrets.hide(errorMessage) };
  return new ListingError(kind, refusalInWords(details), details);
}

function secretsIn(sent: Headers): Secrets {
  const secrets = new Secrets();
  for (const [name, value] of sent) secrets.addHeader(name, value);
  return secrets;
}

/** OpenSSL's codes for faults in a certificate. Its messages depend on the version of Node. */
const CERTIFICATE_FAULT = /^(?!ERR_).*(?:CERT|CRL|SIGNATURE)/;

/** OpenSSL's words for a plain response to a TLS handshake. */
export const WITHOUT_TLS = /wrong version number|packet length too long/;

/** The global fetch only says `fetch failed`; its cause says why. */
function causeOf(error: unknown): unknown {
  return (Object(error) as { cause?: unknown }).cause ?? error;
}

function reasonInWords(error: unknown): string {
  const cause = causeOf(error);
  const { code } = Object(cause) as { code?: unknown };
  if (typeof code === 'string' && CERTIFICATE_FAULT.test(code)) return `the certificate is not trusted (${code})`;
  return shown(reasonOf(cause) ?? cause);
}

/** An own attribute of the object, never one of its prototype, which the whole process can change. */
export function ownValue(object: object, name: string): unknown {
  return Object.hasOwn(object, name) ? Reflect.get(object, name) : undefined;
}

function integerOrNothing(value: unknown): number | undefined {
  return Number.isInteger(value) ? (value as number) : undefined;
}

function textOrNothing(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}
