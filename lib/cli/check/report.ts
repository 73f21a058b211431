import type {
  EndpointCheck,
  EndpointResult,
  ListingCheck,
  ListingWarning,
  DriverCheck,
  DriverFinding,
} from '../../client/index.js';
import { bare, firstOf } from '../../text/shown.js';

const RESULT_COLORS: Readonly<Partial<Record<EndpointResult, Color>>> = {
  ok: 'green',
  differs: 'yellow',
  status: 'yellow',
};
const HEADINGS = ['ENDPOINT', 'RESULT', 'TIME', 'DETAIL'] as const;
const GAP = 3;
/** Below this width of the details column, each endpoint gets separate lines. */
const LEAST_DETAIL = 24;
/** The number of endpoints named at a time. */
const NAMED = 3;

/** The report for people: the table, the warnings, and the verdict. */
export function reportText(check: ListingCheck, layout: Layout): string {
  const { url, listing, endpoints, ms, warnings, drivers } = check;
  const noun = (listing === 'cluster' ? 'coordinator' : 'endpoint') + (endpoints.length === 1 ? '' : 's');
  const sections = [
    wrapped(
      `${url} lists ${endpoints.length === 0 ? 'no' : String(endpoints.length)} ${noun} (${shortDuration(ms)})`,
      layout.width,
    ),
    ...(endpoints.length === 0 ? [] : [endpointLines(endpoints, layout)]),
    ...(warnings.length === 0 ? [] : [warnings.flatMap((warning) => warningLines(warning, layout))]),
    ...(drivers === undefined ? [] : [driverLines(drivers, layout)]),
    wrapped(conclusion(check), layout.width),
  ];
  return sections.map((lines) => lines.join('\n')).join('\n\n');
}

function endpointLines(endpoints: readonly EndpointCheck[], layout: Layout): string[] {
  const rows = endpoints.map(
    ({ endpoint, result, ms, detail }) => [bare(endpoint), result, shortDuration(ms), detail] as const,
  );
  const widthOf = (column: 0 | 1 | 2): number =>
    GAP + Math.max(...[HEADINGS, ...rows].map((row) => row[column].length));
  const widths = [widthOf(0), widthOf(1), widthOf(2)] as const;
  const left = widths[0] + widths[1] + widths[2];
  return layout.width - left < LEAST_DETAIL ? stacked(rows, layout) : table(rows, widths, left, layout);
}

type Row = readonly [endpoint: string, result: EndpointResult, time: string, detail: string];
type Widths = readonly [endpoint: number, result: number, time: number];

/** @param left - The columns that stand left of the details. */
function table(rows: readonly Row[], widths: Widths, left: number, layout: Layout): string[] {
  const [endpointWidth, resultWidth, timeWidth] = widths;
  const [endpoint, result, time, detail] = HEADINGS;
  const heading = endpoint.padEnd(endpointWidth) + result.padEnd(resultWidth) + time.padEnd(timeWidth) + detail;
  return [
    painted(heading, 'bold', layout),
    ...rows.flatMap(([endpoint, result, time, detail]) => {
      const [line, ...more] = wrapped(detail, layout.width - left);
      return [
        endpoint.padEnd(endpointWidth) +
          painted(result.padEnd(resultWidth), RESULT_COLORS[result] ?? 'red', layout) +
          time.padStart(timeWidth - GAP) +
          ' '.repeat(GAP) +
          line,
        ...more.map((text) => ' '.repeat(left) + text),
      ];
    }),
  ];
}

function stacked(rows: readonly Row[], layout: Layout): string[] {
  return rows.flatMap(([endpoint, result, time, detail]) => {
    const [head, ...more] = wrapped(`${result}, ${time}: ${detail}`, layout.width - 2);
    const color = RESULT_COLORS[result] ?? 'red';
    return [
      ...wrapped(endpoint, layout.width),
      `  ${painted(result, color, layout)}${head.slice(result.length)}`,
      ...more.map((text) => `  ${text}`),
    ];
  });
}

function warningLines({ message, endpoints, breaksDrivers }: ListingWarning, layout: Layout): string[] {
  const names = namesOf(endpoints);
  const label = breaksDrivers ? 'warning, breaks drivers' : 'warning';
  const [head, ...more] = wrapped(`${label}: ${message}${names === '' ? '' : `: ${names}`}`, layout.width - 2);
  const color = breaksDrivers ? 'red' : 'yellow';
  return [painted(label, color, layout) + head.slice(label.length), ...more.map((text) => `  ${text}`)];
}

function conclusion({ usable, endpoints, ok }: ListingCheck): string {
  const total = endpoints.length;
  if (total === 0) return 'Nothing on this list can be used.';
  if (usable < total) {
    const failing = usable === 0 ? 'all of them' : total - usable === 1 ? 'the other' : 'the others';
    return `${String(usable)} of ${String(total)} can be used from here. A driver that takes this list will fail on ${failing}.`;
  }
  const all = `${['', 'The one endpoint', 'Both'][total] ?? `All ${String(total)}`} can be used from here.`;
  return ok ? all : `${all} A driver may still break on the list: see above.`;
}

/** `3 ms`, `2.0 s` */
function shortDuration(ms: number): string {
  return ms < 1000 ? `${String(ms)} ms` : `${(ms / 1000).toFixed(1)} s`;
}

/** How a report is laid out. */
export interface Layout {
  /** Columns of the terminal; `Infinity` where nothing has to be wrapped. */
  readonly width: number;
  readonly colors: boolean;
}

const COLORS = { green: 32, yellow: 33, red: 31, bold: 1 } as const;
type Color = keyof typeof COLORS;

function painted(text: string, color: Color, { colors }: Layout): string {
  return colors ? `\u001b[${String(COLORS[color])}m${text}\u001b[0m` : text;
}

/** The lines of a text that fit a width, broken at blanks, and within a word that is longer than a line. */
function wrapped(text: string, width: number): [string, ...string[]] {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(' ')) {
    const longer = line === '' ? word : `${line} ${word}`;
    if (longer.length <= width) {
      line = longer;
      continue;
    }
    if (line !== '') lines.push(line);
    line = word;
    for (; line.length > width; line = line.slice(width)) lines.push(line.slice(0, width));
  }
  lines.push(line);
  return lines as [string, ...string[]];
}

/** What drivers would do with the response: a paragraph for each that breaks, then a line for the others, and what is unknown. */
export function driverLines(drivers: readonly DriverCheck[], layout: Layout): string[] {
  const others = drivers.filter(({ breaks, unknown }) => !breaks && unknown.length === 0).map(nameOf);
  return [
    ...drivers.filter(({ breaks }) => breaks).flatMap((driver) => breakingLines(driver, layout)),
    ...(others.length === 0 ? [] : wrapped(`nothing breaks ${others.join(', ')}`, layout.width)),
    ...unknownLines(drivers, layout),
  ];
}

/** Grouped by what is unknown, which is the same for most drivers. */
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
  return firstOf(endpoints.map(bare), ', ', NAMED);
}

function nameOf({ driver, versions }: DriverCheck): string {
  return `${driver} ${versions}`;
}
