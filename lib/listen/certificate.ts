import { readFile } from 'node:fs/promises';
import { createSecureContext, type TlsOptions } from 'node:tls';
import { printable } from '../text/shown.js';
import { ListenError } from './listen-error.js';
import type { SslKeyfile, SslOptions } from './options.js';

const PEM_CERTIFICATE = /^-----BEGIN (?:X509 |TRUSTED )?CERTIFICATE-----/m;
const PEM_PRIVATE_KEY = /^-----BEGIN (?:[A-Z]+ )?PRIVATE KEY-----/m;

/**
 * The options of a TLS server, with a key and a certificate that match.
 *
 * @param endpoint - The endpoint that needs them, for the message.
 * @throws {@link ListenError} with the code `ERR_LISTEN_SSL`, saying what is missing.
 */
export async function loadCertificate(ssl: SslOptions | undefined, endpoint: string): Promise<TlsOptions> {
  if (ssl === undefined) {
    throw sslError(endpoint, 'ssl needs a keyfile, or a key and a certificate, and none is given');
  }
  const options = 'keyfile' in ssl ? await readKeyfile(ssl, endpoint) : ssl;
  try {
    createSecureContext(options);
  } catch (error) {
    throw sslError(endpoint, `the private key and the certificate cannot be used: ${reasonOf(error)}`, error);
  }
  return options;
}

async function readKeyfile(ssl: SslKeyfile, endpoint: string): Promise<TlsOptions> {
  const { keyfile, ...others } = ssl;
  let pem: string;
  try {
    pem = await readFile(keyfile, 'latin1');
  } catch (error) {
    throw sslError(endpoint, `the keyfile cannot be read: ${reasonOf(error)}`, error);
  }
  const missing = [
    ...(PEM_CERTIFICATE.test(pem) ? [] : ['certificate']),
    ...(PEM_PRIVATE_KEY.test(pem) ? [] : ['private key']),
  ];
  if (missing.length > 0) {
    throw sslError(endpoint, `the keyfile ${printable(keyfile)} holds no ${missing.join(' and no ')} in PEM form`);
  }
  return { ...others, key: pem, cert: pem };
}

/** A `ListenError` for TLS options, a key or a certificate that cannot be used. */
export function sslError(endpoint: string, reason: string, cause?: unknown): ListenError {
  return new ListenError(endpoint, 'ERR_LISTEN_SSL', reason, { cause });
}

/** Node's message about a value, without the value, which may be a passphrase or a ticket key. */
export function reasonOf(error: unknown): string {
  return printable((error as Error).message.replace(/\.? Received .*$/s, ''));
}
