import { reasonOf } from '../text/reason.js';
import type { DriverCheck } from '../drivers/driver-checks.js';
import { Secrets } from '../text/secrets.js';
import { shown } from '../text/shown.js';

/**
 * Why there is no listing.
 *
 * - `refused`: the server answered, with an error body or with another status than 200.
 * - `malformed`: the answer is not a listing: its content type, its JSON or its shape is wrong.
 * - `redirected`: the answer points elsewhere. Redirects are not followed, so that credentials stay with the server they are for.
 * - `too-large`: the body is longer than `maxBytes`.
 * - `timeout`: the answer was not complete within `timeoutMs`.
 * - `unreachable`: no complete answer came: connection refused or broken off, unknown host, certificate not trusted.
 */
export type ListingErrorKind = 'refused' | 'malformed' | 'redirected' | 'too-large' | 'timeout' | 'unreachable';

/** What the server said about a refusal: the attributes of its error body. */
export interface ListingErrorDetails {
  /** The HTTP status: as the error body names it, or else that of the answer. */
  readonly code?: number | undefined;
  /** The number by which drivers tell errors apart, such as 1230: only in `_system`, or 9: not a Coordinator. */
  readonly errorNum?: number | undefined;
  /** The server's own words, as sent, apart from secrets of the request that it repeats: each is `***`, and what is beyond 10,000 characters is cut. */
  readonly errorMessage?: string | undefined;
  /** What drivers would do with the answer, where `checkEndpoints` was asked for that. */
  readonly drivers?: readonly DriverCheck[] | undefined;
}

/**
 * A listing that could not be had or read.
 *
 * Neither the message nor `errorMessage` holds a user, a password, or the value of a request header that may be secret, even where the server
 * repeats it, in another letter case, in base64 or as URLs, JSON and HTML write it. What has fewer than 4 characters is not looked for.
 */
export class ListingError extends Error {
  override readonly name = 'ListingError';
  readonly kind: ListingErrorKind;
  // Declared only: what the server did not send is no property of the error.
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
 * The error that an answer stands for, with whatever it says of `code`, `errorNum` and `errorMessage`.
 *
 * @param body - The parsed body; anything but an error body says nothing.
 * @param status - The HTTP status, for a body that names none.
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

/** The error that a caller gets: what went wrong and for which request, with nothing secret of what was `sent`. */
export function inContext(request: string, error: unknown, sent: Headers): ListingError {
  const safe = withoutSecrets(error, sent);
  if (safe instanceof ListingError) {
    const { kind, message, cause } = safe;
    return new ListingError(kind, `${request}: ${message}`, safe, cause === undefined ? {} : { cause });
  }
  const reason = secretsIn(sent).hide(reasonInWords(error));
  return new ListingError('unreachable', `${request}: no answer: ${reason}`, {}, { cause: error });
}

/** A `ListingError` whose server repeats what was `sent`, without that; any other error as it is. */
export function withoutSecrets<E>(error: E, sent: Headers): E | ListingError {
  const secrets = secretsIn(sent);
  if (!(error instanceof ListingError) || secrets.isEmpty) return error;
  const { kind, code, errorNum, errorMessage } = error;
  // Without the cause: the words of a parser repeat a piece of the body.
  if (errorMessage === undefined) return new ListingError(kind, secrets.hide(error.message), error);
  // Made anew: the message is cut where it is long, and may hold half a secret there.
  const details = { code, errorNum, errorMessage: secrets.hide(errorMessage) };
  return new ListingError(kind, refusalInWords(details), details);
}

function secretsIn(sent: Headers): Secrets {
  const secrets = new Secrets();
  for (const [name, value] of sent) secrets.addHeader(name, value);
  return secrets;
}

/** The faults that OpenSSL finds in a certificate. Its words for them depend on the version of Node. */
const CERTIFICATE_FAULT = /^(?!ERR_).*(?:CERT|CRL|SIGNATURE)/;

/** The global fetch only says `fetch failed`: its cause says why. */
function reasonInWords(error: unknown): string {
  const { cause = error } = Object(error) as { cause?: unknown };
  const { code } = Object(cause) as { code?: unknown };
  if (typeof code === 'string' && CERTIFICATE_FAULT.test(code)) return `the certificate is not trusted (${code})`;
  return shown(reasonOf(cause) ?? cause);
}

/** An attribute of the object itself, never of its prototype, which the whole process can change. */
export function ownValue(object: object, name: string): unknown {
  return Object.hasOwn(object, name) ? Reflect.get(object, name) : undefined;
}

function integerOrNothing(value: unknown): number | undefined {
  return Number.isInteger(value) ? (value as number) : undefined;
}

function textOrNothing(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}
