import type { TlsOptions } from 'node:tls';
import { kindOf, readOptions, type OptionRule } from '../options/read-options.js';
import { ABORT_SIGNAL, millisecondsOrInfinity, optional } from '../options/rules.js';

type OtherOptions = Omit<TlsOptions, 'key' | 'cert' | 'pfx'>;

/** Certificate and private key in one PEM file, as `--ssl.keyfile` names it. Other options go to Node's TLS server as they are. */
export interface SslKeyfile extends OtherOptions {
  /** Path of a file with the certificate, those of intermediate authorities after it, and the private key. */
  readonly keyfile: string;
}

/** Private key and certificate as Node's TLS server takes them, with any other option of it. */
export interface SslKeyAndCertificate extends OtherOptions {
  readonly key: NonNullable<TlsOptions['key']>;
  readonly cert: NonNullable<TlsOptions['cert']>;
}

/** What an `ssl` endpoint needs. */
export type SslOptions = SslKeyfile | SslKeyAndCertificate;

/** How {@link listenOn} listens. Every option may be missing; none may be `undefined`. */
export interface ListenOptions {
  /** Required if one of the endpoints has the scheme `ssl`, and read only then. */
  readonly ssl?: SslOptions;
  /** Aborting it stops the binding, or closes what is bound. */
  readonly signal?: AbortSignal;
  /**
   * ms that `close()` waits for running requests before it cuts their connections; `Infinity`: without limit.
   * @defaultValue 10000
   */
  readonly closeTimeoutMs?: number;
  /**
   * ms that an idle connection stays open, from 1; `Infinity`: until the client or `close()` ends it. The default is the reference server's,
   * because some drivers do not reconnect.
   * @defaultValue 300000
   */
  readonly keepAliveTimeout?: number;
}

/** ms that the servers of this package keep an idle connection: the reference server's default. */
export const KEEP_ALIVE_TIMEOUT_MS = 300_000;

const SSL: OptionRule<SslOptions> = {
  allowed: 'an object with the path of a keyfile, or with key and cert',
  read: (value) => (sslFault(value) === undefined ? (value as SslOptions) : undefined),
  show: (value) => String(sslFault(value)),
};
const RULES = {
  ssl: optional(SSL),
  signal: optional(ABORT_SIGNAL),
  closeTimeoutMs: millisecondsOrInfinity(0, 10_000),
  keepAliveTimeout: millisecondsOrInfinity(1, KEEP_ALIVE_TIMEOUT_MS),
};

/** @throws `TypeError` that names the option, the value and what is allowed; never a key or a passphrase. */
export function readListenOptions(options: ListenOptions) {
  return readOptions('listenOn', options, RULES);
}

/** The same for the `ssl` that renews a certificate. */
export function readSsl(ssl: SslOptions): SslOptions {
  return readOptions('renewCertificate', { ssl }, { ssl: SSL }).ssl;
}

/** What is wrong with a value for {@link SslOptions}: its kind, not its contents, since it may be a misplaced key. */
function sslFault(value: unknown): string | undefined {
  if (typeof value !== 'object' || value === null) return kindOf(value);
  const { keyfile, key, cert } = value as Partial<Record<'keyfile' | 'key' | 'cert', unknown>>;
  if ('keyfile' in value)
    return 'key' in value || 'cert' in value ? 'keyfile beside key or cert' : keyfileFault(keyfile);
  if (key === undefined) return cert === undefined ? 'neither' : 'cert without key';
  return cert === undefined ? 'key without cert' : undefined;
}

function keyfileFault(value: unknown): string | undefined {
  if (typeof value !== 'string') return `${kindOf(value)} as keyfile`;
  if (value === '') return 'an empty keyfile';
  return /-----BEGIN|[\n\r\0]/.test(value) ? 'the text of a keyfile' : undefined;
}
