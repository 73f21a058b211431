import timers, { setImmediate } from 'node:timers/promises';
import { join } from 'node:path';
import { PACKAGE_FOLDER } from './package/package-folder.js';

const LIB = join(PACKAGE_FOLDER, 'lib/');
/** The longest delay of Node: such a timer stands for one that waits for the clock. */
const NEVER_MS = 2 ** 31 - 1;

interface Waiting {
  readonly dueAt: number;
  readonly run: () => void;
}

/** A clock that only the test turns. */
export interface TurnedClock {
  /** The delays in ms that code of `lib` has asked for since the test began, or since the last call: each once, the shortest first. */
  readonly delays: () => number[];
  /** Lets so much time pass: runs what is due, in its order. */
  readonly turn: (ms: number) => Promise<void>;
}

/**
 * For each test of a file, the timers of `lib` wait until the test turns the clock, and `performance.now()` goes by it there. Sockets,
 * and the timers of everybody else, go on as always.
 */
export function turnedClock(): TurnedClock {
  const { setTimeout: start, clearTimeout: stop } = globalThis;
  const waiting = new Map<Parameters<typeof clearTimeout>[0], Waiting>();
  const asked = new Set<number>();
  let now = 0;

  const wait = (run: () => void, ms: number): NodeJS.Timeout => {
    const handle = start(() => undefined, NEVER_MS).unref();
    asked.add(ms);
    waiting.set(handle, { dueAt: now + ms, run });
    return handle;
  };
  const forget = (handle: Parameters<typeof stop>[0]): void => {
    waiting.delete(handle);
    stop(handle);
  };
  const sleep: typeof timers.setTimeout = (ms = 0, value, { signal } = {}) =>
    new Promise((resolve, reject) => {
      const end = (): void => {
        forget(handle);
        reject(new DOMException('The operation was aborted', 'AbortError'));
      };
      const handle = wait(() => {
        signal?.removeEventListener('abort', end);
        resolve(value as never);
      }, ms);
      if (signal?.aborted === true) end();
      else signal?.addEventListener('abort', end, { once: true });
    });

  beforeEach(() => {
    now = 0;
    waiting.clear();
    asked.clear();
    const realSleep = timers.setTimeout;
    const realNow = performance.now.bind(performance);
    jest.spyOn(performance, 'now').mockImplementation(() => (isCalledByLib() ? now : realNow()));
    jest.spyOn(globalThis, 'clearTimeout').mockImplementation(forget);
    jest
      .spyOn(globalThis, 'setTimeout')
      .mockImplementation((run: () => void, ms = 0) => (isCalledByLib() ? wait(run, ms) : start(run, ms)));
    jest
      .spyOn(timers, 'setTimeout')
      .mockImplementation((ms, value, options) => (isCalledByLib() ? sleep : realSleep)(ms, value, options));
  });

  afterEach(() => {
    jest.restoreAllMocks();
    for (const handle of waiting.keys()) stop(handle);
  });

  return {
    delays() {
      const delays = [...asked].sort((one, other) => one - other);
      asked.clear();
      return delays;
    },
    async turn(ms) {
      const end = now + ms;
      for (;;) {
        await settled();
        const [next] = [...waiting].sort(([, one], [, other]) => one.dueAt - other.dueAt);
        if (next === undefined || next[1].dueAt > end) break;
        now = Math.max(now, next[1].dueAt);
        forget(next[0]);
        next[1].run();
      }
      now = end;
      await settled();
    },
  };
}

/** Whether code of `lib` has called what calls this, the spies of jest aside. */
function isCalledByLib(): boolean {
  const { prepareStackTrace } = Error as { prepareStackTrace: unknown };
  // The names of the files alone: mapping lines to sources takes long.
  Error.prepareStackTrace = (_error, sites) => sites.map((site) => String(site.getFileName()));
  const files = new Error().stack as unknown as string[];
  Object.assign(Error, { prepareStackTrace });
  return files.find((file) => file !== __filename && !file.includes('jest-mock'))?.startsWith(LIB) === true;
}

/** What needs no more than some turns of the event loop has happened. */
async function settled(): Promise<void> {
  for (let turns = 0; turns < 5; turns += 1) await setImmediate();
}
