import { nearestName } from '../text/nearest-name.js';
import { shown } from '../text/shown.js';
import { versionsOf } from './driver-checks.js';
import { DRIVERS, type DriverVersions } from './rules.js';

/**
 * The drivers that are asked for: all for `true`, otherwise each by its name, `java`, or with a version, `java@7.26`.
 *
 * @throws `TypeError` for a driver or a version that is not known, or that asks for the other listing; it names what is known.
 */
export function askedDrivers(
  asked: true | string | readonly string[],
  listing: DriverVersions['listing'],
): readonly DriverVersions[] {
  if (asked === true) return DRIVERS;
  const names = typeof asked === 'string' ? [asked] : asked;
  const found = new Set(names.flatMap((name) => knownVersions(name, listing)));
  return DRIVERS.filter((driver) => found.has(driver));
}

function knownVersions(name: string, listing: DriverVersions['listing']): readonly DriverVersions[] {
  const driver = name.replace(/@.*$/s, '');
  const version = name.slice(driver.length + 1);
  const versions = DRIVERS.filter((known) => known.driver === driver);
  if (versions.length === 0) {
    const names = [...new Set(DRIVERS.map((known) => known.driver))];
    const meant = nearestName(driver, names);
    const hint = meant === undefined ? `known are ${names.join(', ')}` : `did you mean ${meant}?`;
    throw refusal(`nothing is known of ${shown(driver)}; ${hint}`);
  }
  const matching = versions.filter((known) => version === '' || isWithin(version, known.versions));
  if (matching.length === 0) {
    throw refusal(`nothing is known of ${driver} ${shown(version)}, but of ${versions.map(versionsOf).join(', ')}`);
  }
  const other = matching.find((known) => known.listing !== listing)?.listing;
  if (other === undefined) return matching;
  throw refusal(`${driver} asks for the other listing: check it with listing '${other}'`);
}

function refusal(reason: string): TypeError {
  return new TypeError(`checkEndpoints: option drivers: ${reason}`);
}

/** By as many numbers as both have: `7` is within 7.2 to 7.3.0. */
function isWithin(version: string, [first, last]: DriverVersions['versions']): boolean {
  return compared(version, first) >= 0 && compared(version, last) <= 0;
}

function compared(left: string, right: string): number {
  const rightNumbers = right.split('.').map(Number);
  const differences = left.split('.').map((number, index) => Number(number) - (rightNumbers[index] ?? Number(number)));
  return differences.find((difference) => difference !== 0) ?? 0;
}
