import { inTurns } from '../request/in-turns.js';
import { html, type Markup } from './markup.js';
import { KEPT_MS } from './history.js';
import { rowMarkup } from './row.js';
import type { ListingView, Row, Skipped, View } from './view.js';
import { ago, duration, firstLine, type Kind } from './words.js';

const ROLES = { coordinator: 'Coordinator', single: 'Single server', dbserver: 'DB-Server', agent: 'Agent' } as const;
const STATES: Readonly<Record<string, Kind>> = { live: 'good', stale: 'warn', expired: 'bad', closed: 'bad' };
const ROUTES = { cluster: '_api/cluster/endpoints', server: '_api/endpoint' } as const;
const LEAST_SPAN_MS = 60_000;
/** Longer tables can be filtered. */
const UNFILTERED = 20;
/** Problems come first; what is beyond stands in the JSON. */
const MAX_ROWS = 2000;

/** The page as it is served: complete without the script. */
export async function pageOf(view: View): Promise<string> {
  const { title, cluster, server, directory } = view;
  const [kind, words] = firstLine(view);
  const sections = [
    cluster === undefined ? undefined : await section('cluster', cluster, view),
    server === undefined ? undefined : await section('server', server, view),
  ];
  const isLive = directory === undefined || directory.state === 'live';
  const isDoubtful = view.areAllDown || !isLive || cluster?.problem !== undefined;
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
        <p id="connection" role="status"></p>
        <main ${isDoubtful ? html`class="doubt"` : undefined}>
          <header>
            <h1>${title}</h1>
            <div class="scripted tools" data-ours>
              <button id="refresh">Refresh now</button>
              <button id="pause" aria-pressed="false">Pause</button>
            </div>
          </header>
          <p id="verdict" role="status" class="${kind}" data-kind="${kind}">
            <span>${words}</span> <span id="here" data-ours></span>
          </p>
          ${summary(view)}
          <noscript
            ><p class="note">
              Without JavaScript, this page does not refresh itself and cannot try endpoints from your browser. Reload
              it to see changes.
            </p></noscript
          >
          ${sections.filter((part) => part !== undefined)}
        </main>
        <footer><p id="refreshed">As of when the page was loaded.</p></footer>
        <p id="said" role="status"></p>
      </body>
    </html> `.text;
}

function summary({ role, directory, cluster, showSources }: View): Markup {
  const { lastError } = directory ?? {};
  const isFailing = directory !== undefined && directory.state !== 'live' && lastError !== undefined;
  return html`<dl>
      ${fact('Role', html`${role === undefined ? 'unknown' : ROLES[role]}`)}
      ${cluster === undefined ? undefined : fact('Coordinators', html`${cluster.count ?? '–'}`)}
      ${
        directory === undefined
          ? undefined
          : fact(
              'List',
              html`<span class="badge ${String(STATES[directory.state])}">${directory.state}</span>
                <small>confirmed ${ago(directory.ageMs)}</small>`,
            )
      }
      <div class="scripted" id="reach">
        <dt>Reachable from here</dt>
        <dd id="reachable" data-ours>–</dd>
      </div>
    </dl>
    ${isFailing && showSources ? html`<p class="note" id="failure">Last failure: ${lastError}</p>` : undefined}`;
}

function fact(name: string, value: Markup): Markup {
  return html`<div>
    <dt>${name}</dt>
    <dd>${value}</dd>
  </div> `;
}

async function section(name: keyof typeof ROUTES, listing: ListingView, view: View): Promise<Markup> {
  const heading = name === 'cluster' ? 'Coordinators' : 'This server listens on';
  const both = name === 'cluster' && view.server === undefined;
  const link = (route: string): Markup => html`<a href="${view.root}${route}"><code>GET /${route}</code></a>`;
  return html`<section aria-labelledby="${name}">
    <h2 id="${name}">${heading}</h2>
    <p class="route">
      ${link(ROUTES[name])}${both ? html` and ${link(ROUTES.server)} have the same endpoints` : undefined}
    </p>
    ${trouble(name, listing)} ${skips(listing.skipped, view.showSources)}
    ${listing.rows.length > MAX_ROWS ? html`<p class="note">Only the first ${MAX_ROWS} of ${listing.rows.length} are shown, problems first.</p>` : undefined}
    ${listing.rows.length > UNFILTERED ? filter(name) : undefined}
    ${listing.rows.length === 0 ? undefined : await table(name, listing.rows.slice(0, MAX_ROWS), view)}
  </section> `;
}

async function table(name: keyof typeof ROUTES, rows: readonly Row[], view: View): Promise<Markup> {
  const span = Math.min(KEPT_MS, Math.max(LEAST_SPAN_MS, view.now - view.startedAt));
  const shape = {
    ...view,
    name,
    hasHealth: rows.some(({ check }) => check !== undefined),
    span,
    last: `Last ${duration(span)}`,
  };
  const head = (className: string, text: string): Markup =>
    html`<th role="columnheader" scope="col" class="${className}">${text}</th>`;
  const isCluster = name === 'cluster';
  const body = await inTurns(rows, (row) => rowMarkup(row, shape));
  return html`<table role="table" aria-labelledby="${name}">
    <thead role="rowgroup">
      <tr role="row">
        ${head('where', 'Endpoint')}${head('from scripted', 'From here')}
        ${shape.hasHealth ? head('health', 'Health') : undefined}
        ${isCluster ? [head('since', 'Listed for'), head('past', shape.last)] : undefined}${head('act scripted', 'Copy')}
      </tr>
    </thead>
    <tbody role="rowgroup">
      ${body}
    </tbody>
  </table>`;
}

function filter(name: string): Markup {
  return html`<div class="scripted filter" data-ours>
    <label>Filter <input type="search" autocomplete="off" spellcheck="false" data-filter="${name}" /></label>
    <label><input type="checkbox" data-filter="${name}" /> Only problems</label>
    <output></output>
  </div>`;
}

function trouble(name: string, { problem, rows }: ListingView): Markup | undefined {
  // Of the cluster listing, the first line says it.
  if (name === 'cluster') return undefined;
  if (problem !== undefined) return html`<p class="note bad">The list could not be loaded: ${problem}</p>`;
  return rows.length === 0 ? html`<p class="none">No endpoint is listed.</p>` : undefined;
}

/** A skipped entry may contain an address behind this server. */
function skips(skipped: readonly Skipped[], showSources: boolean): Markup | undefined {
  if (skipped.length === 0) return undefined;
  const [are, them] =
    skipped.length === 1
      ? ['1 entry of the source is', 'it']
      : [`${String(skipped.length)} entries of the source are`, 'them'];
  if (!showSources) {
    return html`<p class="note warn">${are} skipped, as clients cannot use ${them}. The server's log says why.</p>`;
  }
  return html`<div class="note warn">
    <p>${are} skipped, as clients cannot use ${them}:</p>
    <ul>
      ${skipped.map(({ text, reason }) => html`<li>${text === undefined ? undefined : html`<code>${text}</code>: `}${reason}</li>`)}
    </ul>
  </div>`;
}
