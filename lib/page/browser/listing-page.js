// @ts-check
// Keeps the page as the server has it now, and tries each endpoint from this browser. The page is complete without it.

const REFRESH_MS = 5000;
const TRY_LIMIT_MS = 3000;
/** So many endpoints are tried side by side. */
const SIDE_BY_SIDE = 20;
/** The pause between two rounds for each endpoint, so that long lists are not tried without end. */
const PAUSE_MS = 60;
const ROUTES = { cluster: '/_api/cluster/endpoints', server: '/_api/endpoint' };

/** @typedef {{ kind: 'good' | 'bad' | 'idle', words: string }} Verdict */

/** What the last try of each endpoint showed.
 * @type {Map<string, Verdict>} */
const verdicts = new Map();
/** When the server did not answer for the first time.
 * @type {Date | undefined} */
let lostAt;

/** @param {string} id */
const element = (id) => /** @type {HTMLElement} */ (document.getElementById(id));
/** @param {number} ms */
const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
/** Resolves once somebody looks at the page. */
const untilVisible = () =>
  new Promise((resolve) => {
    const check = () => {
      if (document.hidden) return;
      document.removeEventListener('visibilitychange', check);
      resolve(undefined);
    };
    document.addEventListener('visibilitychange', check);
    check();
  });

async function keepFresh() {
  for (;;) {
    await pause(REFRESH_MS);
    await untilVisible();
    await refresh();
  }
}

async function refresh() {
  let problem = 'it does not answer';
  try {
    const answer = await fetch(location.href, { cache: 'no-store', signal: AbortSignal.timeout(REFRESH_MS) });
    const main = answer.ok && new DOMParser().parseFromString(await answer.text(), 'text/html').querySelector('main');
    if (main) {
      update(/** @type {Element} */ (document.querySelector('main')), main);
      paint();
      lostAt = undefined;
      say('connection', '');
      say('refreshed', `As of ${new Date().toLocaleTimeString()}. Refreshes every 5 seconds while you look at it.`);
      return;
    }
    problem = answer.ok ? 'it answers with another page' : `it answers with status ${answer.status}`;
  } catch {
    // The words stand above.
  }
  lostAt ??= new Date();
  const since = lostAt.toLocaleTimeString();
  say(
    'connection',
    `The server is lost since ${since}: ${problem}. What stands here is older. Trying again every 5 seconds.`,
  );
}

/** Sets a text, unless it stands there already: a screen reader reads out what changes.
 * @param {string} id @param {string} text */
function say(id, text) {
  if (element(id).textContent !== text) element(id).textContent = text;
}

/** Makes one element as another, and leaves alone what is the same: the focus, a selection, and what this script has written.
 * @param {Element} current @param {Element} next */
function update(current, next) {
  const isOurs = [current, next].every((one) => one.matches('[data-endpoint], #reachable'));
  for (const { name } of [...current.attributes]) if (!next.hasAttribute(name)) current.removeAttribute(name);
  for (const { name, value } of next.attributes)
    if (current.getAttribute(name) !== value) current.setAttribute(name, value);
  // A browser that runs scripts does not parse what is in noscript.
  if (isOurs || current.localName === 'noscript') return;

  /** @type {Map<string | null, Element>} */
  const rows = new Map([...current.children].filter((child) => keyOf(child)).map((child) => [keyOf(child), child]));
  const kept = new Set([...next.children].map(keyOf));
  for (const [key, row] of rows) if (!kept.has(key)) row.remove();
  let at = current.firstChild;
  for (const node of [...next.childNodes]) {
    const row = rows.get(keyOf(node));
    // A row that moves loses the selection: what stands between rows makes way instead, and a row that has gone down the list.
    while (at && row && at !== row && (!keyOf(at) || at === row.previousElementSibling)) {
      const behind = at.nextSibling;
      if (keyOf(at)) current.append(at);
      else at.remove();
      at = behind;
    }
    const known = keyOf(node) ? row : at && !keyOf(at) ? at : undefined;
    if (known instanceof Element && node instanceof Element && known.tagName === node.tagName) {
      if (known === at) at = at.nextSibling;
      else current.insertBefore(known, at);
      update(known, node);
    } else if (known instanceof Text && node instanceof Text) {
      if (known.data !== node.data) known.data = node.data;
      at = known.nextSibling;
    } else {
      current.insertBefore(document.importNode(node, true), at);
    }
  }
  while (at) {
    const behind = at.nextSibling;
    at.remove();
    at = behind;
  }
}

/** @param {Node} node */
function keyOf(node) {
  return node instanceof Element ? node.getAttribute('data-key') : null;
}

async function tryAllInTurn() {
  for (;;) {
    await untilVisible();
    const cells = /** @type {HTMLElement[]} */ ([...document.querySelectorAll('[data-endpoint]')]);
    const queue = new Map(
      cells.map(({ dataset }) => [
        String(dataset.endpoint),
        dataset.listing === 'server' ? ROUTES.server : ROUTES.cluster,
      ]),
    ).entries();
    const work = async () => {
      for (const [endpoint, route] of queue) {
        await untilVisible();
        verdicts.set(endpoint, await tryFromHere(endpoint, route));
        paint(endpoint);
      }
    };
    await Promise.all(Array.from({ length: SIDE_BY_SIDE }, work));
    await pause(Math.max(REFRESH_MS, cells.length * PAUSE_MS));
  }
}

/** Whether this browser gets an answer; which one, it may not see.
 * @param {string} endpoint @param {string} route @returns {Promise<Verdict>} */
async function tryFromHere(endpoint, route) {
  if (endpoint.startsWith('unix:')) return { kind: 'idle', words: 'not tried: a unix socket' };
  const url = endpoint.replace(/^tcp:/, 'http:').replace(/^ssl:/, 'https:');
  const { protocol, hostname } = new URL(url);
  if (['0.0.0.0', '[::]'].includes(hostname)) return { kind: 'idle', words: 'not tried: a wildcard address' };
  if (location.protocol === 'https:' && protocol === 'http:' && !/^(?:localhost|127\..*|\[::1\])$/.test(hostname)) {
    return { kind: 'idle', words: 'not tried: this page has TLS, the endpoint has none' };
  }
  try {
    await fetch(url + route, {
      mode: 'no-cors',
      cache: 'no-store',
      credentials: 'omit',
      referrerPolicy: 'no-referrer',
      signal: AbortSignal.timeout(TRY_LIMIT_MS),
    });
    return { kind: 'good', words: 'reachable' };
  } catch (error) {
    const isLate = error instanceof DOMException && error.name === 'TimeoutError';
    return { kind: 'bad', words: isLate ? 'not reachable: no answer in 3 s' : 'not reachable' };
  }
}

/** Writes what is known of one endpoint, or of all, into its cells.
 * @param {string} [endpoint] */
function paint(endpoint) {
  const cells = /** @type {HTMLElement[]} */ ([...document.querySelectorAll('[data-endpoint]')]);
  for (const cell of cells) {
    const verdict = verdicts.get(String(cell.dataset.endpoint));
    const badge = /** @type {HTMLElement} */ (cell.firstElementChild);
    if (!verdict || (endpoint !== undefined && cell.dataset.endpoint !== endpoint)) continue;
    badge.className = `badge ${verdict.kind}`;
    if (badge.textContent !== verdict.words) badge.textContent = verdict.words;
  }
  const main = cells.filter(({ dataset }) => dataset.listing === 'cluster');
  const counted = (main.length > 0 ? main : cells).map(({ dataset }) => verdicts.get(String(dataset.endpoint))?.kind);
  const tried = counted.filter((kind) => kind === 'good' || kind === 'bad').length;
  const good = counted.filter((kind) => kind === 'good').length;
  if (tried === 0) return;
  say('reachable', `${good} of ${counted.length}`);
  element('reachable').className = good < tried ? 'bad' : '';
}

void keepFresh();
void tryAllInTurn();
