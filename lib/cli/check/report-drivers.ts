import type { DriverCheck, DriverFinding } from '../../client/index.js';
import { bare } from '../../text/shown.js';
import { painted, wrapped, type Layout } from './layout.js';

/** The number of endpoints named after one finding. */
const NAMED = 3;

/** What drivers would do with the answer: a paragraph for each that breaks, then a line for all others, and what is not known. */
export function driverLines(drivers: readonly DriverCheck[], layout: Layout): string[] {
  const others = drivers.filter(({ breaks, unknown }) => !breaks && unknown.length === 0).map(nameOf);
  return [
    ...drivers.filter(({ breaks }) => breaks).flatMap((driver) => breakingLines(driver, layout)),
    ...(others.length === 0 ? [] : wrapped(`nothing breaks ${others.join(', ')}`, layout.width)),
    ...unknownLines(drivers, layout),
  ];
}

/** By what is not known, for it is the same of most drivers. */
function unknownLines(drivers: readonly DriverCheck[], layout: Layout): string[] {
  const byWhat = new Map<string, string[]>();
  for (const driver of drivers.filter(({ unknown }) => unknown.length > 0)) {
    const what = namesOf(driver.unknown);
    byWhat.set(what, [...(byWhat.get(what) ?? []), nameOf(driver)]);
  }
  return [...byWhat].flatMap(([what, names]) => wrapped(`not known of ${names.join(', ')}: ${what}`, layout.width));
}

function breakingLines(driver: DriverCheck, layout: Layout): string[] {
  const { findings, endsRefreshing, fails, handsOn, hosts } = driver;
  const label = `${nameOf(driver)} breaks`;
  const found = findings.map(inWords);
  const end = endsRefreshing
    ? '; an application does not start with it, and a refresh is the last one'
    : fails || handsOn
      ? ''
      : `; uses ${hosts.length === 0 ? 'no host' : hosts.map(bare).join(', ')}`;
  const [head, ...more] = wrapped(`${label}: ${found.join('; ')}${end}`, layout.width - 2);
  return [painted(label, 'red', layout) + head.slice(label.length), ...more.map((text) => `  ${text}`)];
}

function inWords({ message, endpoints, evidence }: DriverFinding): string {
  const names = namesOf(endpoints);
  return `${message}${names === '' ? '' : ` (${names})`}, as ${evidence === 'run' ? 'seen in a run' : 'its source says'}`;
}

function namesOf(endpoints: readonly string[]): string {
  const names = endpoints
    .slice(0, NAMED)
    .map((endpoint) => bare(endpoint))
    .join(', ');
  return endpoints.length > NAMED ? `${names} and ${String(endpoints.length - NAMED)} more` : names;
}

function nameOf({ driver, versions }: DriverCheck): string {
  return `${driver} ${versions}`;
}
