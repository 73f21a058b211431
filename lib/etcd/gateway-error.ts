/** Status codes of gRPC (google.rpc.Code) after which another attempt would get the same answer. */
const DEFINITE_CODES: ReadonlySet<number> = new Set([
  3, // INVALID_ARGUMENT: a wrong password, among others
  7, // PERMISSION_DENIED
  9, // FAILED_PRECONDITION: authentication is not enabled
  12, // UNIMPLEMENTED
]);
/** The one exhausted resource that does not come back by itself. */
const OUT_OF_SPACE = 'database space exceeded';

/** Codes of Node for a TLS connection that fails for a reason which waiting does not mend. */
const TLS_CODE = /^(?:ERR_TLS_|ERR_SSL_|CERT_|UNABLE_TO_|DEPTH_ZERO_|SELF_SIGNED_|EPROTO$)/;

/** 408 and 429 mean: later. */
const LATER: ReadonlySet<number> = new Set([408, 429]);

const SHOWN_CHARACTERS = 200;

/** etcd, or what stands in its place, has not done what it was asked. */
export class GatewayError extends Error {
  override readonly name = 'GatewayError';
  /** Asking again would get the same answer. */
  readonly definite: boolean;
  /** The status code of gRPC, where etcd itself has answered. */
  readonly code: number | undefined;
  /** Who was asked; it stands in the text as well. */
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
}

/** The error in an answer of etcd: the shape of grpc-gateway v1 (etcd up to 3.5), that of v2, and that inside a stream. */
export function refusal(error: Readonly<Record<string, unknown>>): GatewayError {
  const code = Number(error['code'] ?? error['grpc_code']);
  const message = String(error['message']);
  return new GatewayError(message, { code, definite: DEFINITE_CODES.has(code) || message.includes(OUT_OF_SPACE) });
}

/** An answer with a status of its own, that is not of etcd's gateway: a proxy, another server, a gateway switched off. */
export function foreignAnswer(status: number, text: string): GatewayError {
  const definite = status >= 400 && status < 500 && !LATER.has(status);
  if (status !== 404) {
    const shown = JSON.stringify(text.slice(0, SHOWN_CHARACTERS));
    return new GatewayError(`not an answer of etcd: ${String(status)} ${shown}`, { definite });
  }
  return new GatewayError(
    'no JSON gateway here (404): it needs etcd 3.4 or newer, started with --enable-grpc-gateway where that is not the' +
      ' default (3.4 with a configuration file)',
    { definite },
  );
}

/**
 * Any failure of a question to a host, with the host's name in its text.
 *
 * @param hide Takes out of the text what must not be seen. There is no `cause`, for the same reason.
 */
export function failureAt(host: string, error: unknown, hide: (text: string) => string): GatewayError {
  if (error instanceof GatewayError && error.host !== undefined) return error;
  const { message, code } = error as NodeJS.ErrnoException;
  const text = `etcd ${host}: ${hide(message)}`;
  if (!(error instanceof GatewayError)) return new GatewayError(text, { definite: TLS_CODE.test(String(code)), host });
  return new GatewayError(text, { definite: error.definite, code: error.code, host });
}
