import type { EndpointCheck, EndpointResult, ListingCheck, ListingWarning } from '../../client/index.js';
import { bare } from '../../text/shown.js';
import { painted, wrapped, type Color, type Layout } from './layout.js';
import { driverLines } from './report-drivers.js';

const RESULT_COLORS: Readonly<Partial<Record<EndpointResult, Color>>> = {
  ok: 'green',
  differs: 'yellow',
  status: 'yellow',
};
const HEADINGS = ['ENDPOINT', 'RESULT', 'TIME', 'DETAIL'] as const;
const GAP = 3;
/** Below this width of the details column, each endpoint gets separate lines. */
const LEAST_DETAIL = 24;
/** The number of endpoints named after one warning. */
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
  const columns = [HEADINGS, ...rows];
  const widths: Widths = [
    GAP + Math.max(...columns.map(([endpoint]) => endpoint.length)),
    GAP + Math.max(...columns.map(([, result]) => result.length)),
    GAP + Math.max(...columns.map(([, , time]) => time.length)),
  ];
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
  const names = endpoints.slice(0, NAMED).map(bare).join(', ');
  const rest = endpoints.length > NAMED ? ` and ${String(endpoints.length - NAMED)} more` : '';
  const label = breaksDrivers ? 'warning, breaks drivers' : 'warning';
  const [head, ...more] = wrapped(`${label}: ${message}${names === '' ? '' : `: ${names}${rest}`}`, layout.width - 2);
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
  const all = total === 1 ? 'The one endpoint can be used from here.' : `All ${String(total)} can be used from here.`;
  return ok ? all : `${all} A driver may still break on the list: see above.`;
}

/** `3 ms`, `2.0 s` */
function shortDuration(ms: number): string {
  return ms < 1000 ? `${String(ms)} ms` : `${(ms / 1000).toFixed(1)} s`;
}
