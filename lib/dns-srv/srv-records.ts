import { NODATA, NOTFOUND, type SrvRecord } from 'node:dns';
import { Resolver } from 'node:dns/promises';
import type { SrvSettings } from './options.js';

const MESSAGE_BYTES = 65_535;
/** A name of 255 bytes in a record, and room for the EDNS options of the answer. */
const ROOM_FOR_ONE_MORE = 512;
const HEADER_BYTES = 12;
/** Owner (as a pointer, RFC 1035 section 4.1.4), type, class, TTL, length, priority, weight and port. */
const RECORD_BYTES = 18;

/** The definite answers without a record: NXDOMAIN, and a name that has records of other types only. */
const EMPTY: ReadonlySet<string | undefined> = new Set([NODATA, NOTFOUND]);

/**
 * Asks once for the SRV records of a name; none is an answer too.
 *
 * @param signal - Ends the request when it aborts.
 * @throws What `node:dns` reports for everything that is no answer: `ECONNREFUSED`, `ETIMEOUT`, `ESERVFAIL`, `EREFUSED` ...
 */
export async function askForRecords(
  { name, servers, timeoutMs, tries }: SrvSettings,
  signal: AbortSignal,
): Promise<readonly SrvRecord[]> {
  // A signal that has aborted already tells its listeners nothing.
  signal.throwIfAborted();
  // A new one for each request reads the system's list of servers anew and carries nothing over; it costs 0.1 ms.
  const resolver = new Resolver({ timeout: timeoutMs, tries });
  if (servers !== undefined) resolver.setServers(servers);
  const cancel = () => {
    resolver.cancel();
  };
  signal.addEventListener('abort', cancel);
  try {
    return await resolver.resolveSrv(name);
  } catch (error) {
    if (EMPTY.has((error as NodeJS.ErrnoException).code)) return [];
    throw error;
  } finally {
    signal.removeEventListener('abort', cancel);
  }
}

/**
 * The endpoint of each record, as text that is still to be parsed. Priority and weight do not matter: all Coordinators are alike.
 *
 * A target of `.`, an empty name here, says that there is no service (RFC 2782): not a member, and not a mistake.
 *
 * @throws Error when there are more than `maxRecords`, or so many that the answer may have been cut.
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
 * About how long the answer was. A server drops what does not fit into 64 kB and says so with the TC bit, which c-ares ignores
 * over TCP, and Node shows no more of an answer than its records: only the size tells that there may be more. That assumes a
 * server that compresses the names of records, as all do by default. What a server cuts below that size cannot be seen.
 */
function messageBytes(name: string, records: readonly SrvRecord[]): number {
  const withoutRecords = HEADER_BYTES + nameBytes(name) + 4;
  return records.reduce((sum, { name: target }) => sum + RECORD_BYTES + nameBytes(target), withoutRecords);
}

/** A length before each label and an empty one at the end. */
function nameBytes(text: string): number {
  return text === '' ? 1 : text.length + 2;
}
