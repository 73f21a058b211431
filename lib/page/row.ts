import type { EntryCheck } from '../directory/directory.js';
import { leftAt, type Past, type Span } from './history.js';
import { html, type Markup } from './markup.js';
import { isProblem, type Row, type View } from './view.js';
import { ago, duration, unicodeOf, whyDown, type Kind } from './words.js';

const HEALTH: Readonly<Record<EntryCheck['state'], readonly [kind: Kind, words: string]>> = {
  up: ['good', 'healthy'],
  down: ['bad', 'failing'],
  unknown: ['idle', 'not checked yet'],
};
/** The width of a timeline in its own units. */
const TIMELINE = 1000;

interface Shape extends Pick<View, 'now' | 'startedAt' | 'showSources'> {
  readonly name: 'cluster' | 'server';
  readonly hasHealth: boolean;
  /** How far the timeline goes back, in ms, and in words. */
  readonly span: number;
  readonly last: string;
}

/** The row of an endpoint. */
export function rowMarkup(row: Row, shape: Shape): Markup {
  const { endpoint, state, check, past } = row;
  const isGone = state === 'down' || state === 'left';
  const kinds = `${isGone ? 'gone ' : ''}${isProblem(row) ? 'problem' : ''}`;
  const isTried = state === 'listed' || state === 'unserved';
  return html`<tr role="row" data-key="${endpoint}" ${kinds === '' ? undefined : html` class="${kinds}"`}>
    <th role="rowheader" scope="row"><code>${endpoint}</code>${besides(row, shape)}</th>
    ${
      isTried
        ? html`<td role="cell" class="scripted" data-label="From here" data-try="${shape.name}" data-ours>
            <span class="badge idle">not tried yet</span>
          </td>`
        : html`<td role="cell" class="scripted" data-label="From here">–</td>`
    }${shape.hasHealth ? cell('Health', check === undefined ? html`–` : health(check, shape.showSources)) : undefined}${
      shape.name === 'cluster'
        ? [
            cell('Listed for', html`${listedFor(row, shape)}`),
            cell(shape.last, past === undefined ? html`–` : timeline(past, shape)),
          ]
        : undefined
    }
    <td role="cell" class="scripted act" data-label="Copy">
      <button data-copy="endpoint">Endpoint</button>${
        endpoint.startsWith('unix:') ? undefined : html` <button data-copy="${shape.name}"><code>check</code></button>`
      }
    </td>
  </tr> `;
}

function cell(label: string, content: Markup): Markup {
  return html`<td role="cell" data-label="${label}">${content}</td>`;
}

/** What stands below an endpoint: its Unicode form, where it comes from, and which drivers it breaks, and how. */
function besides({ endpoint, sources, drivers }: Row, { showSources }: Shape): Markup {
  const unicode = unicodeOf(endpoint);
  const from = showSources && sources.length > 0 ? `from ${sources.join(', ')}` : undefined;
  const broken = drivers.length > 0 ? drivers.join('; ') : undefined;
  return html`${[unicode, from, broken].map((text) => (text === undefined ? html`` : html` <small>${text}</small>`))}`;
}

function health(check: EntryCheck, showSources: boolean): Markup {
  const { state, since, ms } = check;
  const took = state === 'up' && ms !== undefined ? `in ${String(Math.round(ms))} ms, ` : '';
  const why = state === 'down' ? whyDown(check, showSources) : undefined;
  const [kind, words] = HEALTH[state];
  return html`<span class="badge ${kind}">${words}</span>
    <small>${took}for ${duration(Date.now() - since)}${why === undefined ? '' : `: ${why}`}</small>`;
}

function listedFor({ state, past }: Row, { now }: Shape): string {
  const left = past === undefined ? undefined : leftAt(past);
  if (state === 'unserved') return 'not served';
  if (state !== 'listed') return left === undefined ? 'not listed' : `left ${ago(now - left)}`;
  const ms = now - Number(past?.spans.at(-1)?.from);
  // How long those on the first list had been listed before is unknown.
  if (past?.isFromTheStart !== true || past.spans.length > 1) return ms < 500 ? 'just now' : duration(ms);
  return ms < 500 ? '–' : `over ${duration(ms)}`;
}

/** A bar for each time that the endpoint was listed, on a track; its first part is the time of which nothing is known. */
function timeline({ spans }: Past, { now, startedAt, span }: Shape): Markup {
  const begin = now - span;
  const at = (time: number): number => Math.round(((Math.max(time, begin) - begin) / span) * TIMELINE);
  const bars = spans.filter(({ to }) => to === undefined || to > begin);
  const known = at(startedAt);
  return html`<svg
    role="img"
    aria-label="${inWords(spans, now)}"
    viewBox="0 0 ${TIMELINE} 10"
    preserveAspectRatio="none"
  >
    <rect class="unknown" width="${known}" height="10"></rect>
    <rect class="track" x="${known}" width="${TIMELINE - known}" height="10"></rect>
    ${bars.map(
      ({ from, to = now }) => html`<rect x="${at(from)}" width="${Math.max(4, at(to) - at(from))}" height="10"></rect>`,
    )}
  </svg>`;
}

/** The newest three times, in words. */
function inWords(spans: readonly Span[], now: number): string {
  return spans
    .slice(-3)
    .map(({ from, to }) =>
      to === undefined ? `listed since ${ago(now - from)}` : `listed from ${duration(now - from)} to ${ago(now - to)}`,
    )
    .join(', ');
}
