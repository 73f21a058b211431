import { readFile } from 'node:fs/promises';
import { createSecureContext, type TlsOptions } from 'node:tls';
import { ListenError } from './listen-error.js';
import type { SslKeyfile, SslOptions } from './ssl-options.js';

const PEM_CERTIFICATE = /^-----BEGIN (?:X509 |TRUSTED )?CERTIFICATE-----/m;
const PEM_PRIVATE_KEY = /^-----BEGIN (?:[A-Z]+ )?PRIVATE KEY-----/m;

/**
 * The options of a TLS server, with key and certificate read and found to fit each other.
 *
 * @throws {@link ListenError} with the code `ERR_LISTEN_SSL` and what is missing in words.
 */
export async function loadTlsOptions(ssl: SslOptions | undefined, endpoint: string): Promise<TlsOptions> {
  const refuse = (reason: string, cause?: unknown): never => {
    throw new ListenError(endpoint, 'ERR_LISTEN_SSL', reason, { cause });
  };
  if (ssl === undefined) return refuse('ssl needs a keyfile, or a key and a certificate, and none is given');
  const options = 'keyfile' in ssl ? await readKeyfile(ssl, refuse) : ssl;
  try {
    createSecureContext(options);
  } catch (error) {
    refuse(`the private key and the certificate cannot be used: ${(error as Error).message}`, error);
  }
  return options;
}

async function readKeyfile(ssl: SslKeyfile, refuse: (reason: string, cause?: unknown) => never): Promise<TlsOptions> {
  const { keyfile, ...others } = ssl;
  const pem = await readFile(keyfile, 'latin1').catch((error: unknown) =>
    refuse(`the keyfile cannot be read: ${(error as Error).message}`, error),
  );
  const missing = [
    ...(PEM_CERTIFICATE.test(pem) ? [] : ['certificate']),
    ...(PEM_PRIVATE_KEY.test(pem) ? [] : ['private key']),
  ];
  if (missing.length > 0) refuse(`the keyfile ${keyfile} holds no ${missing.join(' and no ')} in PEM form`);
  return { ...others, key: pem, cert: pem };
}
