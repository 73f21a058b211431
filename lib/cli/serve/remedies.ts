import type { ServerOptionName, ServerOptions } from '../../config/index.js';

/** The codes of a certificate whose authority nobody has named, and OpenSSL's words for them. */
const UNKNOWN_AUTHORITY =
  /SELF_SIGNED_CERT|UNABLE_TO_(?:GET|VERIFY)|self[- ]signed certificate|unable to (?:get|verify)/;

/** The options that name whom to trust. */
const CAFILES = {
  'cluster.agency-cafile': 'agencyCafile',
  'cluster.upstream-cafile': 'upstreamCafile',
  'cluster.health-check-cafile': 'healthCheckCafile',
} as const satisfies Partial<Record<ServerOptionName, keyof ServerOptions>>;

/** What an operator can do about a certificate that is not trusted; nothing to say about any other failure. */
export function certificateRemedy(message: string, option: keyof typeof CAFILES, options: ServerOptions): string {
  if (!UNKNOWN_AUTHORITY.test(message)) return '';
  return options[CAFILES[option]] === undefined
    ? `; name the authority of the certificate with --${option}`
    : `; the authority of the certificate is not in the file of --${option}`;
}

/** Adds to the message of a failure what an operator can do about it. */
export async function withRemedy<Result>(
  attempt: Promise<Result>,
  remedyFor: (failure: Error) => string,
): Promise<Result> {
  try {
    return await attempt;
  } catch (error) {
    const failure = error as Error;
    failure.message += remedyFor(failure);
    throw failure;
  }
}
