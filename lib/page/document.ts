import { html, NOTHING, type Markup } from './markup.js';
import { KEPT_MS, leftAt, type Past, type Span } from './history.js';
import type { EntryCheck } from '../directory/directory.js';
import type { ListingView, Row, View } from './view.js';

const ROLES = { coordinator: 'Coordinator', single: 'Single server', dbserver: 'DB-Server', agent: 'Agent' } as const;
/** What each state of a directory means: its colour, and what follows from it. */
const STATES = {
  live: ['good', 'The list is confirmed.'],
  stale: ['warn', 'The registry does not answer. The last list that it confirmed is served.'],
  expired: ['bad', 'The list is too old. The cluster route answers 503.'],
  closed: ['bad', 'The directory is closed. The cluster route answers 503.'],
} as const;
const HEALTH: Readonly<Record<EntryCheck['state'], readonly [kind: string, words: string]>> = {
  up: ['good', 'healthy'],
  down: ['bad', 'failing'],
  unknown: ['idle', 'not checked yet'],
};
/** The width of a timeline in its own units. */
const TIMELINE = 1000;
/** The shortest time that a timeline spans, in ms. */
const LEAST_SPAN_MS = 60_000;

/** The page as it is served: complete without the script. */
export function pageOf(view: View): string {
  const { title, cluster, server } = view;
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="robots" content="noindex, nofollow" />
        <meta name="color-scheme" content="light dark" />
        <title>${title}</title>
        <link rel="stylesheet" href="listing-page.css" />
        <script src="listing-page.js" defer></script>
      </head>
      <body>
        <p id="connection" role="status" class="banner"></p>
        <main>
          <header>
            <h1>${title}</h1>
            ${summary(view)}
          </header>
          <noscript
            ><p class="note">
              Without JavaScript, this page does not refresh itself and cannot try endpoints from your browser. Reload
              it to see changes.
            </p></noscript
          >
          ${cluster === undefined ? notCoordinator(view) : clusterSection(cluster, view)} ${serverSection(server)}
        </main>
        <footer><p id="refreshed">As of when the page was loaded.</p></footer>
      </body>
    </html> `.text;
}

function summary({ role, directory, cluster }: View): Markup {
  const count = cluster?.rows.filter(({ isListed }) => isListed).length;
  return html`<dl class="summary">
      <div>
        <dt>Role</dt>
        <dd>${role === undefined ? 'unknown' : ROLES[role]}</dd>
      </div>
      ${
        count === undefined
          ? NOTHING
          : html`<div>
              <dt>Coordinators</dt>
              <dd>${count}</dd>
            </div>`
      }
      ${
        directory === undefined
          ? NOTHING
          : html`<div>
              <dt>List</dt>
              <dd>
                ${badge(STATES[directory.state][0], directory.state)}
                <small>confirmed ${roughDuration(directory.ageMs)} ago</small>
              </dd>
            </div>`
      }
      <div class="scripted">
        <dt>Reachable from here</dt>
        <dd id="reachable">not tried yet</dd>
      </div>
    </dl>
    ${directory === undefined || directory.state === 'live' ? NOTHING : html`<p class="note ${STATES[directory.state][0]}">${STATES[directory.state][1]}${directory.lastError === undefined ? '' : ` Last failure: ${directory.lastError}`}</p>`}`;
}

function notCoordinator({ role }: View): Markup {
  const why =
    role === undefined
      ? 'The role of this server cannot be told: the cluster route answers 500.'
      : 'This server is not a Coordinator: the cluster route answers 501.';
  return html`<section>
    <h2>Coordinators</h2>
    <p class="none">${why}</p>
  </section>`;
}

function clusterSection(listing: ListingView, view: View): Markup {
  const hasHealth = listing.rows.some(({ health }) => health !== undefined);
  const span = Math.min(KEPT_MS, Math.max(LEAST_SPAN_MS, view.now - view.startedAt));
  return html`<section aria-labelledby="cluster">
    <h2 id="cluster">Coordinators</h2>
    <p class="route"><code>GET /_api/cluster/endpoints</code></p>
    ${trouble(listing, 'No endpoint is listed. Drivers that take this list keep the hosts they have, or fail.')}
    ${
      listing.rows.length === 0
        ? NOTHING
        : html`<table role="table" aria-labelledby="cluster">
            <thead role="rowgroup">
              <tr role="row">
                <th role="columnheader" scope="col" class="where">Endpoint</th>
                <th role="columnheader" scope="col" class="scripted">From here</th>
                ${hasHealth ? html`<th role="columnheader" scope="col" class="health">Health</th>` : NOTHING}
                <th role="columnheader" scope="col" class="since">Listed for</th>
                <th role="columnheader" scope="col">Last ${roughDuration(span)}</th>
              </tr>
            </thead>
            <tbody role="rowgroup">
              ${listing.rows.map((row) => clusterRow(row, hasHealth, view, span))}
            </tbody>
          </table>`
    }
  </section>`;
}

function clusterRow(row: Row, hasHealth: boolean, view: View, span: number): Markup {
  const { endpoint, isListed, health, past } = row;
  return html`<tr role="row" data-key="${endpoint}" ${isListed ? NOTHING : html` class="gone"`}>
    <th role="rowheader" scope="row"><code>${endpoint}</code>${driversOf(row)}</th>
    ${isListed ? fromHere(endpoint, 'cluster') : html`<td role="cell" class="scripted" data-label="From here">–</td>`}
    ${hasHealth ? html`<td role="cell" data-label="Health">${health === undefined ? '–' : healthCell(health)}</td>` : NOTHING}
    <td role="cell" data-label="Listed for">${listedFor(row, view)}</td>
    <td role="cell" data-label="Last ${roughDuration(span)}">
      ${past === undefined ? '–' : timeline(past, view, span)}
    </td>
  </tr> `;
}

/** Which drivers an endpoint breaks, and how. */
function driversOf({ drivers }: Row): Markup {
  return drivers.length === 0 ? NOTHING : html` <small>${drivers.join('; ')}</small>`;
}

function healthCell({ state, since, reason, ms }: EntryCheck): Markup {
  const took = state === 'up' && ms !== undefined ? `in ${String(Math.round(ms))} ms, ` : '';
  const why = state === 'down' && reason !== undefined ? `: ${reason}` : '';
  return html`${badge(...HEALTH[state])} <small>${took}for ${roughDuration(Date.now() - since)}${why}</small>`;
}

function listedFor({ isListed, past }: Row, { now }: View): string {
  const left = past === undefined ? undefined : leftAt(past);
  if (isListed) {
    const since = roughDuration(now - Number(past?.spans.at(-1)?.from));
    return past?.isFromTheStart === true && past.spans.length === 1 ? `over ${since}` : since;
  }
  if (left !== undefined) return `left ${roughDuration(now - left)} ago`;
  // Its checks keep it off the list.
  return 'not listed';
}

/** A bar for each time that the endpoint was listed, on a track for the time that is known. */
function timeline({ spans }: Past, { now, startedAt }: View, span: number): Markup {
  const begin = now - span;
  const bars = spans
    .filter(({ to }) => to === undefined || to > begin)
    .map(({ from, to }) => [from, to ?? now] as const);
  const at = (time: number): number => Math.round(((Math.max(time, begin) - begin) / span) * TIMELINE);
  const known = at(startedAt);
  return html`<svg
    role="img"
    aria-label="${inWords(spans, now)}"
    viewBox="0 0 ${TIMELINE} 10"
    preserveAspectRatio="none"
  >
    <rect class="track" x="${known}" width="${TIMELINE - known}" height="10"></rect>
    ${bars.map(([from, to]) => html`<rect x="${at(from)}" width="${Math.max(4, at(to) - at(from))}" height="10"></rect>`)}
  </svg>`;
}

/** The newest three times, in words. */
function inWords(spans: readonly Span[], now: number): string {
  return spans
    .slice(-3)
    .map(({ from, to }) =>
      to === undefined
        ? `listed since ${roughDuration(now - from)} ago`
        : `listed from ${roughDuration(now - from)} to ${roughDuration(now - to)} ago`,
    )
    .join(', ');
}

function serverSection(listing: ListingView): Markup {
  return html`<section aria-labelledby="server">
    <h2 id="server">This server listens on</h2>
    <p class="route"><code>GET /_api/endpoint</code></p>
    ${trouble(listing, 'No endpoint is listed.')}
    ${
      listing.rows.length === 0
        ? NOTHING
        : html`<table role="table" aria-labelledby="server">
            <thead role="rowgroup">
              <tr role="row">
                <th role="columnheader" scope="col" class="where">Endpoint</th>
                <th role="columnheader" scope="col" class="scripted">From here</th>
              </tr>
            </thead>
            <tbody role="rowgroup">
              ${listing.rows.map(
                (row) =>
                  html`<tr role="row" data-key="${row.endpoint}">
                    <th role="rowheader" scope="row"><code>${row.endpoint}</code>${driversOf(row)}</th>
                    ${fromHere(row.endpoint, 'server')}
                  </tr> `,
              )}
            </tbody>
          </table>`
    }
  </section>`;
}

/** The script fills it, and nobody else. */
function fromHere(endpoint: string, listing: string): Markup {
  return html`<td
    role="cell"
    class="scripted"
    data-label="From here"
    data-endpoint="${endpoint}"
    data-listing="${listing}"
  >
    ${badge('idle', 'not tried yet')}
  </td>`;
}

function trouble({ problem, skipped, rows }: ListingView, none: string): Markup {
  return html`${problem === undefined ? NOTHING : html`<p class="note bad">There is no list: ${problem}</p>`}
  ${problem === undefined && !rows.some(({ isListed }) => isListed) ? html`<p class="none">${none}</p>` : NOTHING}
  ${
    skipped.length === 0
      ? NOTHING
      : html`<div class="note warn">
          <p>Skipped, because drivers cannot use it:</p>
          <ul>
            ${skipped.map(({ text, reason }) => html`<li>${text === undefined ? NOTHING : html`<code>${text}</code>: `}${reason}</li>`)}
          </ul>
        </div>`
  }`;
}

function badge(kind: string, words: string): Markup {
  return html`<span class="badge ${kind}">${words}</span>`;
}

/** `5 s`, `12 min`, `3 h`, `2 d` */
function roughDuration(ms: number): string {
  const seconds = Math.round(ms / 1000);
  if (seconds < 120) return `${String(seconds)} s`;
  if (seconds < 7200) return `${String(Math.round(seconds / 60))} min`;
  if (seconds < 172_800) return `${String(Math.round(seconds / 3600))} h`;
  return `${String(Math.round(seconds / 86_400))} d`;
}
