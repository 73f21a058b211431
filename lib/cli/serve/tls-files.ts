import { readFileSync } from 'node:fs';
import type { ServerOptionName } from '../../config/index.js';
import { faultOfAuthority, type TlsOptions } from '../../options/tls.js';

/**
 * The TLS options that the named options hold the files of: an authority (`...-cafile`), a certificate with its key
 * (`...-keyfile`).
 *
 * @throws Error that names the option of a file which cannot be read, or holds no certificate.
 */
export function tlsFiles(paths: Readonly<Partial<Record<ServerOptionName, string | undefined>>>): {
  readonly tls?: TlsOptions;
} {
  const tls: { ca?: string; cert?: string; key?: string } = {};
  for (const [option, path] of Object.entries(paths)) {
    if (path === undefined) continue;
    const text = readTlsFile(option, path);
    if (option.endsWith('-cafile')) {
      const fault = faultOfAuthority(text);
      if (fault !== undefined) throw new Error(`${option} is refused: ${fault} in ${path}`);
      tls.ca = text;
    } else Object.assign(tls, { cert: text, key: text });
  }
  return Object.keys(tls).length === 0 ? {} : { tls };
}

function readTlsFile(option: string, path: string): string {
  try {
    return readFileSync(path, 'latin1');
  } catch (error) {
    throw new Error(`${option} cannot be read: ${(error as Error).message}`, { cause: error });
  }
}
