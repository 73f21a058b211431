import { withReason } from '../text/reason.js';
import { printable } from '../text/shown.js';

/** gRPC status codes (google.rpc.Code) after which a retry would not help. */
const DEFINITE_CODES: ReadonlySet<number> = new Set([
  3, // INVALID_ARGUMENT: a wrong password, among others
  7, // PERMISSION_DENIED
  9, // FAILED_PRECONDITION: authentication is not enabled
  12, // UNIMPLEMENTED
]);
/** NOT_FOUND: there is no such lease. */
const NOT_FOUND = 5;
/** UNAUTHENTICATED: the token has expired, or the host has restarted since it issued it. */
const UNAUTHENTICATED = 16;
/** etcd's message, with another code, if its users have changed since it issued the token. */
const OLD_TOKEN = 'revision of auth store is old';
/** The only exhausted resource that does not recover. */
const OUT_OF_SPACE = 'database space exceeded';

/** Node's codes for a TLS connection that a retry would not repair. */
const TLS_CODE = /^(?:ERR_TLS_|ERR_SSL_|CERT_|UNABLE_TO_|DEPTH_ZERO_|SELF_SIGNED_|EPROTO$)/;

const TRY_LATER: ReadonlySet<number> = new Set([408, 429]);

const SHOWN_CHARACTERS = 200;
const MESSAGE_CHARACTERS = 500;

/** A request to etcd, or to whatever answered for it, failed. */
export class GatewayError extends Error {
  override readonly name = 'GatewayError';
  /** A retry would not help. */
  readonly definite: boolean;
  /** The gRPC status code, if the response is from etcd itself. */
  readonly code: number | undefined;
  /** The host, which the message names as well; `undefined` until {@link failureAt} adds it. */
  readonly host: string | undefined;

  constructor(
    message: string,
    { definite, code, host }: { definite: boolean; code?: number | undefined; host?: string },
  ) {
    super(message);
    this.definite = definite;
    this.code = code;
    this.host = host;
  }

  /** Every host of the cluster would respond the same: etcd refuses for good, or knows no such lease. */
  get answersForAll(): boolean {
    return this.code !== undefined && (this.definite || this.code === NOT_FOUND);
  }
}

/** The error in a response of etcd, in the shape of grpc-gateway v1 (etcd up to 3.5), of v2, or inside a stream. */
export function etcdError(error: Readonly<Record<string, unknown>>): GatewayError {
  const code = Number(error['code'] ?? error['grpc_code']);
  const message = String(error['message']);
  return new GatewayError(message, { code, definite: DEFINITE_CODES.has(code) || message.includes(OUT_OF_SPACE) });
}

/** A response that is not from etcd's gateway, but from a proxy, another server, or an etcd with its gateway off. */
export function foreignAnswer(status: number, text: string): GatewayError {
  const definite = status >= 400 && status < 500 && !TRY_LATER.has(status);
  if (status === 404) {
    return new GatewayError(
      'no JSON gateway (404): needs etcd 3.4 or newer, started with --enable-grpc-gateway where that is not the default' +
        ' (3.4 with a configuration file)',
      { definite },
    );
  }
  const shown = JSON.stringify(text.slice(0, SHOWN_CHARACTERS));
  return new GatewayError(`response is not from etcd: ${String(status)} ${shown}`, { definite });
}

/** Without the response, which may contain a token. */
export function unexpectedField(name: string): Error {
  return new Error(`unexpected response from etcd: field "${name}"`);
}

/**
 * The failure of a request to a host, as one line that names the host.
 *
 * @param hide - Removes passwords and tokens from the text. There is no `cause`, for the same reason.
 */
export function failureAt(host: string, error: unknown, hide: (text: string) => string): GatewayError {
  if (error instanceof GatewayError && error.host !== undefined) return error;
  const { code } = error as NodeJS.ErrnoException;
  const text = `etcd ${host}: ${printable(cut(hide(withReason(error).message)))}`;
  if (!(error instanceof GatewayError)) return new GatewayError(text, { definite: TLS_CODE.test(String(code)), host });
  return new GatewayError(text, { definite: error.definite, code: error.code, host });
}

function cut(text: string): string {
  return text.length <= MESSAGE_CHARACTERS ? text : `${text.slice(0, MESSAGE_CHARACTERS)}...`;
}

/** The failures of several hosts as one error that names them all. A response that counts for all of them comes last. */
export function failureOfAll(failures: readonly GatewayError[]): GatewayError {
  const last = failures.at(-1);
  if (last !== undefined && failures.length === 1) return last;
  const forAll = last?.answersForAll === true;
  return new GatewayError(failures.map(({ message }) => message).join('; '), {
    definite: forAll ? last.definite : failures.every(({ definite }) => definite),
    code: forAll ? last.code : undefined,
    host: failures.map(({ host }) => host).join(', '),
  });
}

/** etcd has no such lease. */
export function isLeaseNotFound(error: unknown): boolean {
  return error instanceof GatewayError && error.code === NOT_FOUND;
}

/** etcd no longer takes the token. */
export function isOldToken(error: unknown): boolean {
  return error instanceof GatewayError && (error.code === UNAUTHENTICATED || error.message.includes(OLD_TOKEN));
}
