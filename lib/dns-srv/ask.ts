import { NODATA, NOTFOUND, type SrvRecord } from 'node:dns';
import { Resolver } from 'node:dns/promises';
import type { SrvSettings } from './options.js';

/** The definite answers without a record: NXDOMAIN, and a name that has records of other types only. */
const EMPTY: ReadonlySet<string | undefined> = new Set([NODATA, NOTFOUND]);

/**
 * Asks once for the SRV records of a name; none is an answer too.
 *
 * @param signal Ends the question when it aborts.
 * @throws What `node:dns` reports for everything that is no answer: `ECONNREFUSED`, `ETIMEOUT`, `ESERVFAIL`, `EREFUSED` ...
 */
export async function askForRecords(
  { name, servers, timeoutMs, tries }: SrvSettings,
  signal: AbortSignal,
): Promise<readonly SrvRecord[]> {
  // A signal that has aborted already tells its listeners nothing.
  signal.throwIfAborted();
  // A new one for each question reads the system's list of servers anew and carries nothing over; it costs 0.1 ms.
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
