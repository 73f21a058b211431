import { within } from '../request/deadline.js';
import { errorOf } from '../text/reason.js';
import { CheckQueue, type Pace } from './check-queue.js';
import type { HealthSettings } from './options.js';
import { TrackedEndpoint } from './tracked-endpoint.js';

/** An endpoint, and where its next check is: running, in the queue, or waiting in a group. */
interface Watched {
  readonly tracked: TrackedEndpoint;
  pace: Pace;
  /** When its check should begin, or should have begun, as `performance.now()` counts. */
  dueAt: number;
  /** By how much it is behind, as checks have waited for their turn. */
  behindMs: number;
  /** While a check is running. */
  stop?: AbortController | undefined;
  /** Resolves when the last check that has begun is over. */
  running?: Promise<void>;
  group?: Group | undefined;
  isGone: boolean;
  /** Called once, after the first check. */
  decided: () => void;
}

/** Endpoints whose next checks begin together. */
interface Group {
  readonly slot: number;
  readonly members: Set<Watched>;
  readonly timer: NodeJS.Timeout;
}

/**
 * How often checks begin within an interval. Waking up for each of 1,000 endpoints costs several times the CPU time of their checks.
 */
const SLOTS_PER_INTERVAL = 50;

/** What a check has changed. */
export interface CheckListener {
  up(endpoint: string): void;
  down(endpoint: string, reason: Error): void;
}

/** Checks each of a set of endpoints again and again, no more than `maxConcurrent` at a time. */
export class CheckSchedule {
  readonly #settings: HealthSettings;
  readonly #listener: CheckListener;
  readonly #watched = new Map<string, Watched>();
  readonly #groups = new Map<number, Group>();
  readonly #queue: CheckQueue<Watched>;

  constructor(settings: HealthSettings, listener: CheckListener) {
    this.#settings = settings;
    this.#listener = listener;
    this.#queue = new CheckQueue(settings.maxConcurrent);
  }

  /** Watches these endpoints and no other. The promise resolves when each has been checked once. */
  watch(endpoints: readonly string[]): Promise<void> {
    const wanted = new Set(endpoints);
    for (const [text, watched] of this.#watched) if (!wanted.has(text)) this.#unwatch(text, watched);
    const round = new Promise<void>((resolve) => {
      let undecided = wanted.size + 1;
      const decided = (): void => {
        undecided -= 1;
        if (undecided === 0) resolve();
      };
      for (const text of wanted) this.expect(text, decided);
      decided();
    });
    this.#startChecks();
    return round;
  }

  /** Lines up an endpoint that is not watched yet: {@link watch} then has less to do at once. */
  expect(text: string, decided = (): void => undefined): void {
    if (this.#watched.has(text)) {
      decided();
      return;
    }
    const tracked = new TrackedEndpoint(text);
    const watched: Watched = { tracked, pace: 'prompt', dueAt: Infinity, behindMs: 0, isGone: false, decided };
    this.#watched.set(text, watched);
    this.#queue.push(watched);
  }

  /** What the checks say of an endpoint that is watched. */
  tracked(text: string): TrackedEndpoint | undefined {
    return this.#watched.get(text)?.tracked;
  }

  /** Ends all checks; resolves when none is running. */
  async close(): Promise<void> {
    const running = Array.from(this.#watched.values(), (watched) => watched.running);
    await Promise.all([this.watch([]), ...running]);
  }

  #unwatch(text: string, watched: Watched): void {
    this.#watched.delete(text);
    if (watched.group !== undefined) this.#leave(watched.group, watched);
    watched.isGone = true;
    watched.stop?.abort();
    watched.decided();
  }

  #startChecks(): void {
    this.#queue.start((watched) => (watched.running = watched.isGone ? Promise.resolve() : this.#check(watched)));
  }

  async #check(watched: Watched): Promise<void> {
    const { tracked } = watched;
    const stop = (watched.stop = new AbortController());
    const { fall, rise, timeoutMs } = this.#settings;
    const startedAt = performance.now();
    watched.behindMs += Math.max(0, startedAt - watched.dueAt);
    const reason = await this.#failureOf(tracked, stop.signal);
    watched.stop = undefined;
    // What the end interrupts does not count.
    if (stop.signal.aborted) return;
    const checkMs = performance.now() - startedAt;
    if (reason === undefined) {
      if (tracked.pass(checkMs, rise)) this.#listener.up(tracked.text);
    } else if (tracked.fail(checkMs, reason, fall)) this.#listener.down(tracked.text, reason);
    const isSlow = reason !== undefined && checkMs >= timeoutMs / 2;
    watched.pace = !isSlow ? 'prompt' : tracked.check.state === 'down' ? 'hanging' : 'suspect';
    const isFirst = watched.decided !== alreadyDecided;
    watched.decided();
    watched.decided = alreadyDecided;
    this.#checkLater(watched, isFirst);
  }

  /**
   * After the first check anywhere in the interval, so that not all endpoints, and all gateways, are in step; then less by up to a
   * tenth: never more, so that it is known how long a dead server may stay listed. For the same reason, a check that has waited for its
   * turn, and was over at once, is followed by the next after a third of an interval, or when that would have been due.
   */
  #checkLater(watched: Watched, isFirst: boolean): void {
    const { intervalMs } = this.#settings;
    const slotMs = intervalMs / SLOTS_PER_INTERVAL;
    const now = performance.now();
    const leastMs = isFirst ? 0 : intervalMs * 0.9 + slotMs;
    if (watched.pace !== 'prompt') watched.behindMs = 0;
    const catchUpMs = Math.min(watched.behindMs, (intervalMs * 2) / 3);
    watched.behindMs -= catchUpMs;
    // The slot before this moment, which is up to a slot earlier.
    const slot = Math.floor((now - catchUpMs + leastMs + Math.random() * (intervalMs - leastMs)) / slotMs);
    watched.dueAt = slot * slotMs;
    let group = this.#groups.get(slot);
    if (group === undefined) {
      const members = new Set<Watched>();
      const timer = setTimeout(() => {
        this.#groups.delete(slot);
        for (const member of members) {
          member.group = undefined;
          this.#queue.push(member);
        }
        this.#startChecks();
      }, watched.dueAt - now);
      group = { slot, members, timer };
      this.#groups.set(slot, group);
    }
    group.members.add(watched);
    watched.group = group;
  }

  #leave({ slot, members, timer }: Group, watched: Watched): void {
    members.delete(watched);
    if (members.size > 0) return;
    clearTimeout(timer);
    this.#groups.delete(slot);
  }

  /** Why a check failed. Over after `timeoutMs` also when the check ignores its signal. */
  #failureOf({ endpoint }: TrackedEndpoint, stop: AbortSignal): Promise<Error | undefined> {
    const { check, timeoutMs } = this.#settings;
    return within(timeoutMs, stop, (signal) => check(endpoint, signal)).then(
      () => undefined,
      (thrown: unknown) => errorOf(thrown, 'the check'),
    );
  }
}

const alreadyDecided = (): void => undefined;
