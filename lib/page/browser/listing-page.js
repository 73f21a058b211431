// @ts-check
// Keeps the page as the server has it now, and tries each endpoint from this browser. The page is complete without it.

const REFRESH_MS = 5000;
const TRY_LIMIT_MS = 3000;
/** The number of endpoints tried at a time. */
const SIDE_BY_SIDE = 20;
/** The pause between two rounds for each endpoint, so that long lists are not tried without end. */
const PAUSE_MS = 60;
const SHOWN_MS = 4000;
const NAMED = 3;
const ROUTES = { cluster: '/_api/cluster/endpoints', server: '/_api/endpoint' };
/** The Fetch standard's list: browsers refuse to connect to these. */
const BLOCKED_PORTS = new Set(
  (
    '0 1 7 9 11 13 15 17 19 20 21 22 23 25 37 42 43 53 69 77 79 87 95 101 102 103 104 109 110 111 113 115 117 119 123 135 137 139 ' +
    '143 161 179 389 427 465 512 513 514 515 526 530 531 532 540 548 554 556 563 587 601 636 989 990 993 995 1719 1720 1723 2049 ' +
    '3659 4045 4190 5060 5061 6000 6566 6665 6666 6667 6668 6669 6679 6697 10080'
  ).split(' '),
);

/** @typedef {{ kind: 'good' | 'bad' | 'idle', words: string }} Verdict */

/** What the last try of each endpoint showed.
 * @type {Map<string, Verdict>} */
const verdicts = new Map();
/** When the server did not answer for the first time.
 * @type {Date | undefined} */
let lostAt;
let asOf = new Date();
let isPaused = false;
let isRefreshing = false;
let isTrying = false;
let willPaint = false;

/** @param {string} id */
const element = (id) => /** @type {HTMLElement} */ (document.getElementById(id));
/** @param {string} selector @param {ParentNode} [within] */
const all = (selector, within = document) => /** @type {HTMLElement[]} */ ([...within.querySelectorAll(selector)]);
/** @param {Element} cell */
const endpointOf = (cell) => String(/** @type {HTMLElement} */ (cell.closest('tr')).dataset.key);
/** @param {number} ms */
const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
/** Resolves once the page is visible and not paused. */
const untilVisible = () =>
  new Promise((resolve) => {
    const check = () => {
      if (document.hidden || isPaused) return;
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
  if (isRefreshing) return;
  isRefreshing = true;
  let problem = '';
  try {
    const answer = await fetch(location.href, { cache: 'no-store', signal: AbortSignal.timeout(REFRESH_MS) });
    const main = answer.ok && new DOMParser().parseFromString(await answer.text(), 'text/html').querySelector('main');
    if (main) {
      arrange(main);
      lostAt = undefined;
      asOf = new Date();
      paint();
    } else problem = answer.ok ? 'Another page' : `Status ${answer.status}`;
  } catch {
    problem = 'No response';
  }
  isRefreshing = false;
  if (problem) lostAt ??= new Date();
  document.body.className = lostAt ? 'lost' : '';
  const since = lostAt?.toLocaleTimeString();
  say('connection', lostAt ? `${problem} from this server since ${since}; the data below may be out of date.` : '');
  if (!lostAt) sayWhen();
}

function sayWhen() {
  const next = isPaused ? 'Paused' : 'Refreshes every 5 seconds while you look at it';
  say('refreshed', `As of ${asOf.toLocaleTimeString()}. ${next}.`);
}

/** Sets a text, unless it stands there already: a screen reader reads out what changes.
 * @param {string} id @param {string} text */
function say(id, text) {
  if (element(id).textContent !== text) element(id).textContent = text;
}

/** Makes the page as a new one, with the rows first that are a problem.
 * @param {Element} main */
function arrange(main) {
  for (const body of all('tbody', main)) {
    const rows = all('tr', body);
    const isLater = (/** @type {HTMLElement} */ row) => (isProblem(row) ? 0 : row.matches('.gone') ? 2 : 1);
    body.append(...rows.sort((one, other) => isLater(one) - isLater(other)));
  }
  morph(/** @type {Element} */ (document.querySelector('main')), main);
}

/** @param {HTMLElement} row */
const isProblem = (row) =>
  row.matches('.problem') || (!row.matches('.gone') && verdicts.get(String(row.dataset.key))?.kind === 'bad');

/** @param {Element} child @param {number} index */
const keyOf = (child, index) => child.getAttribute('data-key') ?? (child.id || child.localName + String(index));

/** Makes one element as another. What is the same stays: the focus, a selection, and what this script has written.
 * @param {Element} current @param {Element} next */
function morph(current, next) {
  const ours = [current, next].filter((one) => one.hasAttribute('data-ours')).length;
  if (ours === 2 || current.localName === 'noscript' || current.isEqualNode(next)) return;
  if (ours === 1 || current.localName !== next.localName) {
    current.replaceWith(next);
    return;
  }
  for (const { name } of [...current.attributes]) if (!next.hasAttribute(name)) current.removeAttribute(name);
  for (const { name, value } of next.attributes)
    if (current.getAttribute(name) !== value) current.setAttribute(name, value);
  const isText = (/** @type {Node} */ node) => node instanceof Text && node.data.trim() !== '';
  if ([...current.childNodes, ...next.childNodes].some(isText)) {
    current.replaceChildren(...next.childNodes);
    return;
  }
  const wanted = [...next.children];
  const kept = new Set(wanted.map(keyOf));
  const known = new Map([...current.children].map((child, index) => [keyOf(child, index), child]));
  for (const [key, child] of known) if (!kept.has(key)) child.remove();
  let at = current.firstElementChild;
  wanted.forEach((child, index) => {
    const old = known.get(keyOf(child, index));
    // What has gone down the list makes way: what moves loses the focus.
    if (at && old && at.nextElementSibling === old) {
      current.append(at);
      at = old;
    }
    if (at && at === old) at = at.nextElementSibling;
    else current.insertBefore(old ?? child, at);
    if (old) morph(old, child);
  });
}

async function tryAllInTurn() {
  for (;;) {
    await untilVisible();
    const count = await tryAll();
    await pause(Math.max(REFRESH_MS, count * PAUSE_MS));
  }
}

async function tryAll() {
  const cells = all('[data-try]');
  if (isTrying) return cells.length;
  isTrying = true;
  const queue = new Map(
    cells.map((cell) => [endpointOf(cell), cell.dataset.try === 'server' ? ROUTES.server : ROUTES.cluster]),
  ).entries();
  const work = async () => {
    for (const [endpoint, route] of queue) {
      if (document.hidden) await untilVisible();
      verdicts.set(endpoint, await tryFromHere(endpoint, route));
      paintSoon();
    }
  };
  await Promise.all(Array.from({ length: SIDE_BY_SIDE }, work));
  isTrying = false;
  return cells.length;
}

/** Whether this browser gets an answer; which one, it may not see.
 * @param {string} endpoint @param {string} route @returns {Promise<Verdict>} */
async function tryFromHere(endpoint, route) {
  const why = whyNotTried(endpoint);
  if (why) return { kind: 'idle', words: `not tried: ${why}` };
  try {
    await fetch(urlOf(endpoint) + route, {
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

/** @param {string} endpoint */
const urlOf = (endpoint) => endpoint.replace(/^tcp:/, 'http:').replace(/^ssl:/, 'https:');

/** @param {string} endpoint */
function whyNotTried(endpoint) {
  if (endpoint.startsWith('unix:')) return 'a unix socket';
  const { protocol, hostname, port } = new URL(urlOf(endpoint));
  if (['0.0.0.0', '[::]'].includes(hostname)) return 'a wildcard address';
  if (BLOCKED_PORTS.has(port)) return `browsers block port ${port}`;
  const isLoopback = /^(?:localhost|127\..*|\[::1\])$/.test(hostname);
  const isMixed = location.protocol === 'https:' && protocol === 'http:' && !isLoopback;
  return isMixed ? 'this page has TLS, the endpoint has none' : '';
}

/** Paints once for all that is found out meanwhile. */
function paintSoon() {
  if (willPaint) return;
  willPaint = true;
  requestAnimationFrame(() => {
    willPaint = false;
    paint();
  });
}

/** Writes what is known from here. */
function paint() {
  const cells = all('[data-try]');
  for (const cell of cells) {
    const verdict = verdicts.get(endpointOf(cell));
    const badge = /** @type {HTMLElement} */ (cell.firstElementChild);
    if (!verdict || badge.textContent === verdict.words) continue;
    badge.className = `badge ${verdict.kind}`;
    badge.textContent = verdict.words;
  }
  const main = cells.filter(({ dataset }) => dataset.try === 'cluster');
  sumUp(main.length > 0 ? main.map(endpointOf) : cells.map(endpointOf), main.length > 0 ? 'coordinator' : 'endpoint');
  applyFilters();
}

/** Says in the first line what can be reached from here.
 * @param {string[]} endpoints @param {string} noun */
function sumUp(endpoints, noun) {
  const kinds = endpoints.map((endpoint) => verdicts.get(endpoint)?.kind);
  const count = (/** @type {string} */ kind) => kinds.filter((one) => one === kind).length;
  const good = count('good');
  const bad = count('bad');
  const { length } = endpoints;
  let words = '';
  const verdict = element('verdict');
  const served = String(verdict.dataset.kind);
  const isFine = served === 'good' || (served === 'idle' && noun === 'coordinator');
  if (bad > 0) {
    const names = endpoints.filter((_, index) => kinds[index] === 'bad');
    const more = names.length > NAMED ? ` and ${names.length - NAMED} more` : '';
    const these = bad === length ? `None of the ${length} ${noun}s can` : `${bad} of ${length} ${noun}s cannot`;
    words = `${these} be reached from here: ${names.slice(0, NAMED).join(', ')}${more}.`;
  } else if (good > 0 && good === length) {
    const isAll = isFine || noun === 'endpoint';
    if (isAll)
      words = `${[, `The only ${noun}`, `Both ${noun}s`][length] ?? `All ${length} ${noun}s`} can be reached from here.`;
    else words = `This browser can reach ${[, 'the one', 'both'][length] ?? `all ${length}`} that it tried.`;
  } else if (good > 0 && !kinds.includes(undefined)) {
    words = `${good} of ${length} ${noun}s can be reached from here; no browser can try the other${length - good > 1 ? 's' : ''}.`;
  }
  // Without a list of coordinators, what this server listens on says nothing about them.
  const isMeant = noun === 'coordinator' || served === 'idle';
  say('here', isMeant ? words : '');
  const isGood = isFine && good > 0 && good === length;
  /** @type {HTMLElement} */ (verdict.firstElementChild).hidden = isGood;
  verdict.className = isGood ? 'good' : bad > 0 && (isFine || served === 'warn') ? 'bad' : served;
  say('reachable', isMeant && good + bad > 0 ? `${good} of ${length}` : '–');
  element('reachable').className = isMeant && bad > 0 ? 'bad' : '';
}

function applyFilters() {
  for (const box of all('.filter')) {
    const input = (/** @type {string} */ type) => /** @type {HTMLInputElement} */ (box.querySelector(`[type=${type}]`));
    const isForProblems = input('checkbox').checked;
    const wanted = input('search').value.trim().toLowerCase();
    const rows = all('tbody tr', /** @type {ParentNode} */ (box.parentNode));
    const shown = rows.filter((row) => {
      const name = String(row.firstElementChild?.textContent).toLowerCase();
      row.hidden = !name.includes(wanted) || (isForProblems && !isProblem(row));
      return !row.hidden;
    });
    const output = /** @type {HTMLElement} */ (box.lastElementChild);
    const words = wanted || isForProblems ? `${shown.length} of ${rows.length}` : '';
    if (output.textContent !== words) output.textContent = words;
  }
}

/** @param {HTMLElement} button */
async function copy(button) {
  const endpoint = endpointOf(button);
  const what = button.dataset.copy;
  const quoted = /^[\w:/.-]+$/.test(endpoint) ? endpoint : `'${endpoint.replaceAll("'", `'\\''`)}'`;
  const command = `npx express-endpoint-listing check ${quoted}${what === 'server' ? ' --listing server' : ''}`;
  const text = what === 'endpoint' ? endpoint : command;
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    // There is no clipboard on a page without TLS.
    const area = document.createElement('textarea');
    area.value = text;
    document.body.append(area);
    area.select();
    document.execCommand('copy');
    area.remove();
    button.focus();
  }
  say('said', `Copied: ${text}`);
  await pause(SHOWN_MS);
  if (element('said').textContent === `Copied: ${text}`) say('said', '');
}

document.addEventListener('click', ({ target }) => {
  const button = /** @type {Element} */ (target).closest('button');
  if (button?.dataset.copy) void copy(button);
  if (button?.id === 'refresh') void Promise.all([refresh(), tryAll()]);
  if (button?.id !== 'pause') return;
  isPaused = !isPaused;
  button.setAttribute('aria-pressed', String(isPaused));
  sayWhen();
  document.dispatchEvent(new Event('visibilitychange'));
});
document.addEventListener('input', applyFilters);

sayWhen();
void keepFresh();
void tryAllInTurn();
