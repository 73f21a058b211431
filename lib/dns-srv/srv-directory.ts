import type { EndpointDirectory } from '../directory/directory.js';
import { PolledDirectory } from '../directory/polled-directory.js';
import { readSrvOptions, type SrvDirectoryOptions, type SrvSettings } from './options.js';
import { NODATA, NOTFOUND, type SrvRecord } from 'node:dns';
import { Resolver } from 'node:dns/promises';

/**
 * Opens a directory that polls DNS SRV records, as Consul, headless Services of Kubernetes and AWS Cloud Map publish them. It only lists
 * servers; the registry behind the DNS registers them.
 *
 * Resolves with the first list in memory. A name without records gives an empty list only after two consecutive empty responses.
 *
 * A response that does not fit into UDP is requested again over TCP. One of about 64 kB, the limit there, is refused, since it may be
 * truncated. Node does not show the truncation bit: a server that truncates far below that limit, as no common one does, shortens the list.
 *
 * @example
 * ```ts
 * import { createSrvDirectory } from 'express-endpoint-listing/dns-srv';
 *
 * const directory = await createSrvDirectory({ name: '_arangodb._tcp.coordinators.db.svc.cluster.local' });
 * ```
 * @throws TypeError for invalid options, naming the option, the value and what is allowed.
 * @throws Error if there is no first list, with the reason in its message and as its `cause`: at once if the query fails or the response
 *   is refused, otherwise after `connectTimeoutMs`. It does not retry.
 * @throws The reason of `options.signal`, if that aborts first.
 * @see RFC 2782
 */
export async function createSrvDirectory(options: SrvDirectoryOptions): Promise<EndpointDirectory> {
  const settings = readSrvOptions(options);
  const directory = new PolledDirectory(async (signal) => {
    const records = await askForRecords(settings, signal);
    // A response after the end is ignored.
    signal.throwIfAborted();
    return records.length === 0 ? undefined : endpointTexts(records, settings);
  }, settings);
  return directory.open(`the SRV records of ${settings.name}`);
}

const MESSAGE_BYTES = 65_535;
/** A name of 255 bytes in a record, and room for the EDNS options of the answer. */
const ROOM_FOR_ONE_MORE = 512;
const HEADER_BYTES = 12;
/** Owner (as a pointer, RFC 1035 section 4.1.4), type, class, TTL, length, priority, weight and port. */
const RECORD_BYTES = 18;

/** The responses without a record: NXDOMAIN, and a name that only has records of other types. */
const EMPTY: ReadonlySet<string | undefined> = new Set([NODATA, NOTFOUND]);

/**
 * Queries the SRV records of a name once; there may be none.
 *
 * @param signal - Ends the request when it aborts.
 * @throws The errors of `node:dns` for a failed query: `ECONNREFUSED`, `ETIMEOUT`, `ESERVFAIL`, `EREFUSED` ...
 */
export async function askForRecords(
  { name, servers, timeoutMs, tries }: SrvSettings,
  signal: AbortSignal,
): Promise<readonly SrvRecord[]> {
  // An aborted signal no longer calls its listeners.
  signal.throwIfAborted();
  // A new resolver for each query reads the system's servers again and has no state; it costs 0.1 ms.
  const resolver = new Resolver({ timeout: timeoutMs, tries });
  if (servers !== undefined) resolver.setServers(servers);
  const cancel = () => resolver.cancel();
  signal.addEventListener('abort', cancel);
  try {
    return await resolver.resolveSrv(name);
  } catch (error) {
    if (EMPTY.has((error as NodeJS.ErrnoException).code)) return [];
    (error as Error).message += ` (asked: ${resolver.getServers().join(', ')})`;
    throw error;
  } finally {
    signal.removeEventListener('abort', cancel);
  }
}

/**
 * The endpoint of each record, as unparsed text. Priority and weight are ignored: all Coordinators are alike.
 *
 * A target of `.`, here an empty name, means that there is no service (RFC 2782): it is neither a member nor a mistake.
 *
 * @throws Error if there are more than `maxRecords`, or if the response may be truncated.
 */
export function endpointTexts(records: readonly SrvRecord[], { name, scheme, maxRecords }: SrvSettings): string[] {
  if (records.length > maxRecords) {
    throw new Error(`${name} has ${String(records.length)} SRV records, more than maxRecords, ${String(maxRecords)}`);
  }
  const bytes = messageBytes(name, records);
  if (bytes > MESSAGE_BYTES - ROOM_FOR_ONE_MORE) {
    throw new Error(
      `the ${String(records.length)} SRV records of ${name} take ${String(bytes)} bytes: the answer may have been cut, ` +
        `as a DNS message holds no more than ${String(MESSAGE_BYTES)}`,
    );
  }
  return records
    .filter(({ name: target }) => target !== '')
    .map(({ name: target, port }) => `${scheme}://${target}:${String(port)}`);
}

/**
 * The approximate size of the response. A server drops what does not fit into 64 kB and sets the TC bit, but c-ares ignores it over TCP, and
 * Node only shows the records: the size alone tells that there may be more. This assumes that the server compresses the names of records, as
 * all do by default. A truncation below that size cannot be detected.
 */
function messageBytes(name: string, records: readonly SrvRecord[]): number {
  const withoutRecords = HEADER_BYTES + nameBytes(name) + 4;
  return records.reduce((sum, { name: target }) => sum + RECORD_BYTES + nameBytes(target), withoutRecords);
}

/** A length before each label and an empty one at the end. */
function nameBytes(text: string): number {
  return text === '' ? 1 : text.length + 2;
}
