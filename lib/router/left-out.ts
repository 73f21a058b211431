import type { Request } from 'express';
import type { EndpointQuery } from './contract.js';
import type { Report } from './report.js';

/** More lines than this make a log entry that nobody reads. */
const MAX_LINES = 20;

/**
 * Reports the entries that were left out of a listing: once, and again only when they are other ones, because the routes are
 * polled and must not flood a log.
 */
export function createLeftOutReport(
  kind: EndpointQuery['listing'],
  report: Report,
): (refusals: readonly Error[], req: Request) => void {
  let lastReported = '';

  return function reportLeftOut(refusals, req) {
    const lines = [...new Set(refusals.map(({ message }) => message))].sort();
    const text = lines.join('\n');
    if (text === lastReported) return;
    lastReported = text;
    if (lines.length === 0) return;
    const more = lines.length > MAX_LINES ? [`and ${String(lines.length - MAX_LINES)} more`] : [];
    const title = `left out of the ${kind} listing:`;
    report(new AggregateError(refusals, [title, ...lines.slice(0, MAX_LINES), ...more].join('\n')), req);
  };
}
