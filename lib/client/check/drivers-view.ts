import type { DriverCheck } from '../../drivers/driver-checks.js';
import type { ListingAnswer } from '../../drivers/answer.js';
import { ListingError } from '../../listing/listing-error.js';
import type { AskTarget, Progress } from './ask.js';
import type { CheckSettings } from './options.js';

const DEFAULT_PORTS: Readonly<Record<string, string>> = { 'http:': '80', 'https:': '443' };

/** Takes a response, and says what drivers would do with it. */
export interface DriversView {
  readonly onAnswer: NonNullable<Progress['onAnswer']>;
  /** `undefined` until there is a response. */
  readonly drivers: () => readonly DriverCheck[] | undefined;
}

/**
 * The view of the requested drivers. Their rules are loaded on demand, since most checks do not need them.
 *
 * @throws `TypeError` for a driver that is not known.
 */
export async function driversView(
  asked: NonNullable<CheckSettings['drivers']>,
  { url }: AskTarget,
  listing: ListingAnswer['listing'],
): Promise<DriversView> {
  const { askedDrivers, driverChecks } = await import('../../drivers/index.js');
  const known = askedDrivers(asked, listing);
  const port = [url.port, DEFAULT_PORTS[url.protocol]].find((text) => text !== '');
  let drivers: readonly DriverCheck[] | undefined;
  return {
    onAnswer: ({ statusCode, headers }, body) => {
      const answer = { listing, asked: `${url.hostname}:${String(port)}`, status: Number(statusCode), headers, body };
      drivers = driverChecks(answer, known);
    },
    drivers: () => drivers,
  };
}

/** The same error, with what drivers would do with the response. */
export function withDrivers(error: ListingError, drivers: readonly DriverCheck[] | undefined): ListingError {
  const { kind, message, code, errorNum, errorMessage, cause } = error;
  const details = { code, errorNum, errorMessage, drivers };
  return new ListingError(kind, message, details, cause === undefined ? {} : { cause });
}
