import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import type { CheckEndpointsOptions } from '../../client/index.js';
import { helpLines, numberIn, type CommandOptions } from '../../command-line/option.js';
import type { ReadCommand } from '../../command-line/read-command.js';
import { faultOfAuthority } from '../../options/tls.js';
import { bare, shown } from '../../text/shown.js';

/** The parsed command line of `check`. */
export interface CheckArguments {
  readonly url: string;
  /** For `checkEndpoints`, beside the headers. */
  readonly options: CheckEndpointsOptions;
  /** Headers of every request, without those of the user. */
  readonly headers: Readonly<Record<string, string>>;
  readonly user: string | undefined;
}

export const CHECK_OPTIONS = {
  listing: { placeholder: 'WHICH', description: 'the listing to check: cluster or server (default: cluster)' },
  database: {
    placeholder: 'NAME',
    description: 'the database to ask in (default: none, which servers take as _system)',
  },
  user: { placeholder: 'NAME', description: 'ask for a password, unless ENDPOINT_LISTING_PASSWORD has it' },
  header: { placeholder: "'NAME: VALUE'", description: 'a header of every request', repeatable: true },
  ca: { placeholder: 'FILE', description: 'the certificate of the authority to trust, in PEM form' },
  insecure: { description: 'accept any certificate' },
  timeout: { placeholder: 'MS', description: 'for the listing, and again for each endpoint (default: 2000)' },
  drivers: { description: 'what each known driver would do with this answer' },
  driver: { placeholder: 'NAME[@VERSION]', description: 'only this one, such as java@7.26', repeatable: true },
  json: { description: 'one JSON document, described by check.schema.json in the package' },
  watch: { description: 'check again every 2 seconds until Ctrl-C' },
  'no-color': { description: 'no colours, as with NO_COLOR in the environment' },
  help: { short: 'h', description: 'print this text' },
} as const satisfies CommandOptions;

/** The text of `check --help`. */
export function checkHelp(): string {
  return [
    'Usage: express-endpoint-listing check [options] <URL>',
    '',
    'Asks a server for its listing as a driver would, and tries every endpoint on it from this machine.',
    '<URL> is http://, https://, or an endpoint such as tcp://10.0.0.11:8529.',
    '',
    'Options:',
    ...helpLines(CHECK_OPTIONS),
    '',
    'Exit code: 0 if every endpoint can be used, 1 if one cannot, a warning breaks drivers or a driver that was asked for breaks,',
    '2 if there is no listing.',
  ].join('\n');
}

/**
 * Reads the command line of `check`.
 *
 * @throws Error with the problem in one line.
 */
export function checkArguments(
  { values, others, problem }: ReadCommand<typeof CHECK_OPTIONS>,
  cwd: string,
): CheckArguments {
  const [url, ...more] = others;
  const wrong =
    problem ?? (more.length > 0 ? `one URL can be checked at a time, got ${String(others.length)}` : undefined);
  if (url === undefined || wrong !== undefined) throw new Error(`${wrong ?? 'no URL to check'} (see check --help)`);
  if (!url.includes('://')) throw new Error(`${shown(url)} has no scheme, did you mean ${bare(`http://${url}`)}?`);
  const { listing, database, user, ca, timeout, header = [], insecure = false, drivers, driver = drivers } = values;
  return {
    url,
    options: {
      // checkEndpoints checks the value.
      ...(listing !== undefined && { listing: listing as 'cluster' | 'server' }),
      ...(database !== undefined && { database }),
      ...(driver !== undefined && { drivers: driver }),
      ...(timeout !== undefined && { timeoutMs: numberIn(timeout) }),
      ...(ca !== undefined && { tls: { ca: authorityIn(resolve(cwd, ca)) } }),
      insecure,
    },
    headers: Object.fromEntries(header.map(nameAndValue)),
    user,
  };
}

function authorityIn(file: string): Buffer {
  const ca = readFileSync(file);
  const fault = faultOfAuthority(ca);
  if (fault !== undefined) throw new Error(`--ca is refused: ${fault} in ${file}`);
  return ca;
}

function nameAndValue(header: string): [string, string] {
  const colon = header.indexOf(':');
  // Without the text, which may be a secret.
  if (colon < 1) throw new Error(`--header must be 'NAME: VALUE'`);
  return [header.slice(0, colon).trim(), header.slice(colon + 1).trim()];
}
