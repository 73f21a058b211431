import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import type { CheckEndpointsOptions } from '../../client/index.js';
import { faultOfAuthority } from '../../options/tls.js';

/** What `check` is to do. */
export interface CheckArguments {
  readonly url: string;
  /** For `checkEndpoints`, beside the headers. */
  readonly options: CheckEndpointsOptions;
  /** Headers of every request, without those of the user. */
  readonly headers: Readonly<Record<string, string>>;
  readonly user: string | undefined;
  readonly json: boolean;
  readonly watch: boolean;
  readonly noColor: boolean;
}

const OPTIONS = {
  listing: { type: 'string' },
  database: { type: 'string' },
  user: { type: 'string' },
  header: { type: 'string', multiple: true },
  ca: { type: 'string' },
  insecure: { type: 'boolean' },
  timeout: { type: 'string' },
  json: { type: 'boolean' },
  watch: { type: 'boolean' },
  'no-color': { type: 'boolean' },
  help: { type: 'boolean', short: 'h' },
} as const;

export const CHECK_HELP = `Usage: express-endpoint-listing check [options] <URL>

Asks a server for its listing as a driver would, and tries every endpoint on it from this machine.
<URL> is http://, https://, or an endpoint such as tcp://10.0.0.11:8529.

Options:
  --listing cluster|server  the listing to check; default cluster
  --database NAME           the database to ask in; default none, which servers take as _system
  --user NAME               asks for a password, unless ENDPOINT_LISTING_PASSWORD has it
  --header 'NAME: VALUE'    a header of every request; may be repeated
  --ca FILE                 the certificate of the authority to trust, in PEM form
  --insecure                accepts any certificate
  --timeout MS              for the listing, and again for each endpoint; default 2000
  --json                    one JSON document, described by check.schema.json in the package
  --watch                   again every 2 seconds until Ctrl-C
  --no-color                no colours; as NO_COLOR in the environment
  -h, --help                prints this text

Exit code: 0 if every endpoint can be used, 1 if one cannot or a warning breaks drivers, 2 if there is no listing.`;

/**
 * Reads the command line of `check`.
 *
 * @returns Nothing when it asks for help.
 * @throws Error that says in one line what is wrong with it.
 */
export function checkArguments(args: readonly string[], cwd: string): CheckArguments | undefined {
  const { values, positionals } = parseArgs({ args: [...args], options: OPTIONS, allowPositionals: true });
  if (values.help === true) return undefined;
  const [url, ...more] = positionals;
  if (url === undefined) throw new Error('no URL to check; try: express-endpoint-listing check --help');
  if (more.length > 0) throw new Error(`one URL can be checked at a time, got ${String(positionals.length)}`);
  const { listing, database, user, ca, timeout } = values;
  return {
    url,
    options: {
      // What it must be, checkEndpoints says.
      ...(listing !== undefined && { listing: listing as 'cluster' | 'server' }),
      ...(database !== undefined && { database }),
      ...(timeout !== undefined && { timeoutMs: Number(timeout) }),
      ...(ca !== undefined && { tls: { ca: authorityIn(resolve(cwd, ca)) } }),
      insecure: values.insecure === true,
    },
    headers: Object.fromEntries((values.header ?? []).map(nameAndValue)),
    user,
    json: values.json === true,
    watch: values.watch === true,
    noColor: values['no-color'] === true,
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
