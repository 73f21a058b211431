import type { ServerOptionName, ServerOptions } from '../config/index.js';

/** The codes for a certificate of an unknown authority, and OpenSSL's messages for them. */
const UNKNOWN_AUTHORITY =
  /SELF_SIGNED_CERT|UNABLE_TO_(?:GET|VERIFY)|self[- ]signed certificate|unable to (?:get|verify)/;

/** The options for the CA certificates to trust. */
const CAFILES = {
  'cluster.agency-cafile': 'agencyCafile',
  'cluster.upstream-cafile': 'upstreamCafile',
  'cluster.health-check-cafile': 'healthCheckCafile',
} as const satisfies Partial<Record<ServerOptionName, keyof ServerOptions>>;

/** Whether a certificate is not trusted: waiting does not help. */
export function isUntrusted(message: string): boolean {
  return UNKNOWN_AUTHORITY.test(message);
}

/** How to fix an untrusted certificate; empty for any other failure. */
export function certificateRemedy(message: string, option: keyof typeof CAFILES, options: ServerOptions): string {
  if (!isUntrusted(message)) return '';
  return options[CAFILES[option]] === undefined
    ? `; name the authority of the certificate with --${option}`
    : `; the authority of the certificate is not in the file of --${option}`;
}
