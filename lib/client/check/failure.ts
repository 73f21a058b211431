import { bare } from '../../text/shown.js';
import { ListingError, WITHOUT_TLS } from '../../listing/listing-error.js';
import type { Progress } from './ask.js';
import type { EndpointResult } from './result.js';

/** Why an endpoint is not usable: the step that failed, and the reason. */
export interface Failure {
  readonly result: Exclude<EndpointResult, 'ok'>;
  readonly detail: string;
}

/** The errors of Node's sockets, resolver and TLS that say enough by their code. */
const BY_CODE: Readonly<Record<string, Failure>> = {
  EAI_AGAIN: { result: 'dns', detail: 'no name server answers for the host name' },
  ECONNREFUSED: { result: 'refused', detail: 'nothing listens there' },
  ENOENT: { result: 'refused', detail: 'there is no such socket file here' },
  EACCES: { result: 'refused', detail: 'this user may not connect there' },
  EHOSTUNREACH: { result: 'refused', detail: 'no route to the host' },
  ENETUNREACH: { result: 'refused', detail: 'no route to the network' },
  ETIMEDOUT: { result: 'timeout', detail: 'no answer to the connection: not reachable from here' },
  DEPTH_ZERO_SELF_SIGNED_CERT: { result: 'tls', detail: 'certificate is self-signed, and not trusted' },
  SELF_SIGNED_CERT_IN_CHAIN: { result: 'tls', detail: 'certificate is from an authority that is not trusted' },
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: { result: 'tls', detail: 'certificate is from an authority that is not trusted' },
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: { result: 'tls', detail: 'certificate is from an authority that is not trusted' },
  CERT_HAS_EXPIRED: { result: 'tls', detail: 'certificate has expired' },
  CERT_NOT_YET_VALID: { result: 'tls', detail: 'certificate is not valid yet' },
};

const HTTP2_ONLY: Failure = { result: 'http', detail: 'the server speaks HTTP/2 only, drivers speak HTTP/1.1' };

const TLS_ONLY: Failure = { result: 'http', detail: 'TLS behind tcp://: the server answers only with TLS' };

/** The reason within an error text of OpenSSL: `...:SSL routines:ssl3_get_record:wrong version number:...`. */
const OPENSSL_REASON = /:SSL routines:[^:]*:([^:]+)/;

const NO_TLS: Failure = { result: 'tls', detail: 'plain HTTP behind ssl://: the server answers without TLS' };

/** What a time limit means, by what was under way. */
const TIMED_OUT: Readonly<Record<Progress['step'], Failure>> = {
  dns: { result: 'dns', detail: 'no name server answered in time' },
  connect: { result: 'timeout', detail: 'no answer to the connection: not reachable from here' },
  tls: { result: 'timeout', detail: 'connected, but the TLS handshake got no answer' },
  answer: { result: 'timeout', detail: 'connected, but no complete answer to the request' },
};

/** The step that an error of a request stands for. */
export function failureOf(error: unknown, progress: Progress): Failure {
  const { step } = progress;
  if (error instanceof ListingError) {
    return error.kind === 'timeout' ? TIMED_OUT[step] : error.kind === 'unreachable' ? TLS_ONLY : answered(error);
  }
  const { code, message, rawPacket, errors } = error as NodeJS.ErrnoException &
    Partial<AggregateError> & { rawPacket?: Buffer };
  if (errors !== undefined) return failureOfEach(errors as AddressError[], progress);
  if (code === 'ERR_TLS_CERT_ALTNAME_INVALID') return { result: 'tls', detail: wrongName(error as WrongName) };
  const known = BY_CODE[String(code)];
  if (known !== undefined) return known;
  if (step === 'dns') return { result: 'dns', detail: 'the host name does not resolve' };
  if (step === 'connect') return { result: 'refused', detail: bare(message) };
  if (step === 'tls') {
    const [, reason = message] = OPENSSL_REASON.exec(message) ?? [];
    if (WITHOUT_TLS.test(reason)) return NO_TLS;
    if (reason === 'tlsv1 alert no application protocol') return HTTP2_ONLY;
    return { result: 'tls', detail: `the TLS handshake failed: ${bare(reason)}` };
  }
  if (rawPacket !== undefined && isHttp2(rawPacket)) return HTTP2_ONLY;
  return { result: 'http', detail: `no HTTP/1.1 answer: ${bare(message)}` };
}

type AddressError = Error & { readonly address: string };

/** Node's error for a name of which all addresses fail. The first one is reported. */
function failureOfEach(errors: readonly AddressError[], progress: Progress): Failure {
  const failures = errors.map((error) => ({ ...failureOf(error, progress), address: error.address }));
  const detail = failures.map(({ address, detail }) => `${address}: ${detail}`).join('; ');
  return { result: (failures[0] as Failure).result, detail };
}

/** An HTTP response that is not a listing. */
function answered({ kind, code, errorNum, errorMessage, message }: ListingError): Failure {
  const said = errorMessage === undefined ? '' : `: ${bare(errorMessage)}`;
  const numbers = [code, errorNum].filter((number) => number !== undefined).join('/');
  const detail =
    kind !== 'refused'
      ? `reachable, but ${message}`
      : code === 401
        ? `reachable, but asks for a user and a password (401)`
        : code === 501 && errorNum === 9
          ? `reachable, but is not a Coordinator (501/9)`
          : `reachable, but refuses${numbers === '' ? '' : ` with ${numbers}`}${said}`;
  return { result: 'status', detail };
}

interface WrongName {
  readonly host: string;
  readonly cert: { readonly subjectaltname?: string };
}

/** The names come from the other side's certificate. */
function wrongName({ host, cert }: WrongName): string {
  const names = [...String(cert.subjectaltname).matchAll(/\b(?:DNS|IP Address):([^,]+)/g)].map(([, name]) => name);
  return `certificate is for ${names.length === 0 ? 'no name' : bare(names.join(', '))}, not ${host}`;
}

/** A frame of SETTINGS, with which every HTTP/2 server begins (RFC 9113, section 3.4). */
function isHttp2(bytes: Buffer): boolean {
  return bytes.length >= 9 && bytes[3] === 4 && bytes.readUInt32BE(5) === 0;
}
