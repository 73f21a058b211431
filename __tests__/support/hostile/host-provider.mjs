import { SYSTEM_DATABASE } from 'express-endpoint-listing';
import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';

const FIXED_LIST = Object.freeze(['tcp://10.0.0.1:8529']);
const BIG_LIST = Object.freeze(
  Array.from({ length: 10_000 }, (_, index) => `tcp://host-${String(index)}.example:8529`),
);

/** The provider of the host, which does for each request what its query string plans; without a plan it answers at once. */
export function createPlannedProvider(calls, timeoutMs) {
  return function plannedProvider(query) {
    const plan = planOf(query.req.url);
    count(calls, query);
    return plan === undefined ? FIXED_LIST : carryOut(plan, query.signal, calls, timeoutMs);
  };
}

async function carryOut({ outcome, delayMs, port }, signal, calls, timeoutMs) {
  const start = performance.now();
  calls.running += 1;
  countAbort(signal, calls);
  if (outcome === 'hang' || outcome === 'late') await once(signal, 'abort');
  if (outcome !== 'hang') await delay(delayMs);
  calls.running -= 1;
  if (outcome === 'hang') return new Promise(() => undefined);
  // On a busy machine a timer may ring so late that the router's own has rung before. The event loop counts whole milliseconds.
  if (performance.now() - start >= timeoutMs - 2) calls.overdue.push(port);
  if (outcome === 'fail') throw new Error('a secret of the host');
  return outcome === 'big' ? BIG_LIST : [`tcp://10.0.0.1:${String(port)}`];
}

function count(calls, { database }) {
  calls.asked += 1;
  if (database !== SYSTEM_DATABASE) calls.askedForeign += 1;
}

function countAbort(signal, { aborted }) {
  signal.addEventListener('abort', () => {
    const { name } = signal.reason;
    aborted[name] = (aborted[name] ?? 0) + 1;
  });
}

/** The plan in the URL of a request, if there is one. */
function planOf(url) {
  const [, outcome, delayMs, port] = /\?plan=(ok|fail|hang|late|big)\.(\d+)\.(\d+)$/.exec(url) ?? [];
  return outcome === undefined ? undefined : { outcome, delayMs: Number(delayMs), port: Number(port) };
}
