import { isDeepStrictEqual } from 'node:util';
import { SERVER_OPTIONS, type ServerOptionName, type ServerOptions } from '../../config/index.js';
import { SCHEMES } from '../../endpoint/endpoint.js';
import { bindableEndpoint } from '../../endpoint/parse.js';
import type { Listening } from '../../listen/index.js';
import type { Coordinators } from './coordinators.js';
import type { Log } from '../log.js';

/** What a reload can change about a running server. */
export interface Running {
  /** The options that are in force. */
  options: ServerOptions;
  readonly load: () => ServerOptions;
  readonly coordinators: Pick<Coordinators, 'live' | 'replace'>;
  readonly listening: Pick<Listening, 'endpoints' | 'renewCertificate'>;
  readonly log: Log;
}

/**
 * Handles SIGHUP: reads the configuration again and applies what a running server can. Whether all of that has succeeded.
 *
 * The list changes as a whole or not at all: if one of its options needs a restart, all of them wait for it. A broken
 * configuration changes nothing. The certificate is always read again, since its file may have changed.
 */
export async function reload(running: Running): Promise<boolean> {
  const { log, options } = running;
  let next: ServerOptions;
  let changed: typeof FIELDS;
  let waiting: readonly ServerOptionName[];
  try {
    next = running.load();
    changed = changedOptions(options, next);
    const ofTheList = changed.filter(({ reload }) => reload === 'with the list');
    const replaces = ofTheList.every(({ name }) => running.coordinators.live.includes(name));
    if (replaces && ofTheList.length > 0) await running.coordinators.replace(next);
    waiting = changed
      .filter((option) => option.reload === 'at a restart' || (!replaces && ofTheList.includes(option)))
      .map(({ name }) => name);
  } catch (error) {
    log('error', 'reload-failed', `reload failed, keeping the current configuration: ${(error as Error).message}`);
    return false;
  }
  let refusal: string | undefined;
  if (next.ssl !== undefined && options.endpoints.some(isTls)) {
    refusal = await renewCertificate(running, next.ssl);
    waiting = waiting.filter((name) => name !== 'ssl.keyfile');
  }
  logIgnored(
    next.ignored.filter((name) => !options.ignored.includes(name)),
    log,
  );
  const kept = refusal === undefined ? waiting : [...waiting, 'ssl.keyfile' as const];
  running.options = inForce(options, next, kept);
  const applied = said(changed.map(({ name }) => name).filter((name) => !kept.includes(name)));
  const note = waiting.length === 0 ? '' : `; a restart is needed for ${said(waiting).join(', ')}`;
  const what = `${applied.length === 0 ? 'nothing changed' : `changed ${applied.join(', ')}`}${note}`;
  const fields = { changed: applied, restartNeededFor: said(waiting) };
  if (refusal === undefined) log('info', 'reloaded', `configuration reloaded: ${what}`, fields);
  else
    log('error', 'reload-failed', `reload failed in part: the certificate in use stays: ${refusal}; ${what}`, fields);
  return refusal === undefined;
}

/** Logs the names of given options that only the reference server uses. */
export function logIgnored(ignored: readonly string[], log: Log): void {
  if (ignored.length > 0)
    log('warn', 'options-ignored', `ignoring options of the reference server: ${ignored.join(', ')}`, { ignored });
}

/** Whether it takes a certificate to listen there. */
export function isTls(endpoint: string): boolean {
  return SCHEMES[bindableEndpoint(endpoint).scheme].isTls;
}

/** Why new connections do not get the certificate that the file has now. */
async function renewCertificate(
  { listening, log }: Running,
  ssl: { readonly keyfile: string },
): Promise<string | undefined> {
  try {
    await listening.renewCertificate(ssl);
    log('info', 'certificate-renewed', `new connections get the certificate of ${ssl.keyfile}`);
    return undefined;
  } catch (error) {
    const { message } = error as Error;
    return message.slice(message.indexOf(': ') + 2);
  }
}

/** Names of options, for a sentence: those of horizons are one. */
function said(names: readonly ServerOptionName[]): readonly string[] {
  return [...new Set(names.map((name) => (name.startsWith('horizon.') ? 'horizons' : name)))];
}

const FIELDS = SERVER_OPTIONS.flatMap(({ name, field, reload }) =>
  field === undefined ? [] : [{ name: name as ServerOptionName, field, reload }],
);

function changedOptions(options: ServerOptions, next: ServerOptions): typeof FIELDS {
  return FIELDS.filter(({ field }) => !isDeepStrictEqual(options[field], next[field]));
}

function inForce(options: ServerOptions, next: ServerOptions, waiting: readonly ServerOptionName[]): ServerOptions {
  const kept = new Set<string>(FIELDS.filter(({ name }) => waiting.includes(name)).map(({ field }) => field));
  return Object.freeze(
    Object.fromEntries<unknown>([
      ...Object.entries(next).filter(([field]) => !kept.has(field)),
      ...Object.entries(options).filter(([field]) => kept.has(field)),
    ]),
  ) as unknown as ServerOptions;
}
