import type { TlsOptions } from 'node:tls';
import { shown } from '../text/shown.js';

type OtherOptions = Omit<TlsOptions, 'key' | 'cert' | 'pfx'>;

/** Certificate and private key in one PEM file, as `--ssl.keyfile` names it. Other options go to Node's TLS server as they are. */
export interface SslKeyfile extends OtherOptions {
  /** Path of a file that holds the certificate, those of intermediate authorities behind it, and the private key. */
  readonly keyfile: string;
}

/** Private key and certificate as Node's TLS server takes them, with any other option of it. */
export interface SslKeyAndCertificate extends OtherOptions {
  readonly key: NonNullable<TlsOptions['key']>;
  readonly cert: NonNullable<TlsOptions['cert']>;
}

/** What an `ssl` endpoint needs. */
export type SslOptions = SslKeyfile | SslKeyAndCertificate;

/** What is wrong with a value for {@link SslOptions}. Says what it is, not what it holds: a key may stand in the wrong place. */
export function sslFault(value: unknown): string | undefined {
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

function kindOf(value: unknown): string {
  return typeof value === 'string' ? 'a string' : shown(value);
}
