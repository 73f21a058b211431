import type { DriverCheck, DriverFinding } from '../../client/index.js';
import { bare } from '../../text/shown.js';
import { painted, wrapped, type Layout } from './layout.js';

/** So many endpoints are named behind one finding. */
const NAMED = 3;

/** What drivers would do with the answer: a paragraph for each that breaks, then one line for all others. */
export function driverLines(drivers: readonly DriverCheck[], layout: Layout): string[] {
  const others = drivers.filter(({ breaks }) => !breaks).map(nameOf);
  return [
    ...drivers.filter(({ breaks }) => breaks).flatMap((driver) => breakingLines(driver, layout)),
    ...(others.length === 0 ? [] : wrapped(`nothing breaks ${others.join(', ')}`, layout.width)),
  ];
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
  const names = endpoints.slice(0, NAMED).map(bare).join(', ');
  const rest = endpoints.length > NAMED ? ` and ${String(endpoints.length - NAMED)} more` : '';
  return `${message}${names === '' ? '' : ` (${names}${rest})`}, as ${evidence === 'run' ? 'seen in a run' : 'its source says'}`;
}

function nameOf({ driver, versions }: DriverCheck): string {
  return `${driver} ${versions}`;
}
