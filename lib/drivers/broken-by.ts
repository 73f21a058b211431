import { driverChecks } from './driver-checks.js';
import { DRIVERS, type DriverVersions } from './rules.js';

/** For each endpoint that breaks drivers: which ones, and how, such as `java: misreads it`. */
export function brokenBy(
  listing: DriverVersions['listing'],
  endpoints: readonly string[],
): ReadonlyMap<string, readonly string[]> {
  const entries = endpoints.map((endpoint) => ({ endpoint }));
  const body = Buffer.from(JSON.stringify(listing === 'cluster' ? { endpoints: entries } : entries));
  const found = new Map<string, Set<string>>();
  for (const { driver, findings } of driverChecks({ listing, asked: '', status: 200, headers: {}, body }, DRIVERS)) {
    // A finding that breaks nothing names no endpoint.
    for (const { message, endpoints: about } of findings) {
      for (const endpoint of about) {
        const marks = found.get(endpoint) ?? new Set();
        found.set(endpoint, marks.add(`${driver}: ${message.replace(/^.*: /, '')}`));
      }
    }
  }
  return new Map(Array.from(found, ([endpoint, marks]) => [endpoint, [...marks]]));
}
