import type { ListingAnswer } from '../router/ask-listing.js';
import type { Standing } from './chaos-member.js';

/** What the witness has to know of a member. */
export interface Member {
  readonly endpoint: string;
  /** Another object each time that something was done to it. */
  readonly standing: Standing;
}

/**
 * How long after it registered a member may be missing, in ms: a list is unmarked for at most 4 s after etcd has
 * fallen silent (one probe and the wait for its answer); two more for a busy machine.
 */
const NEWCOMER_MS = 6000;

/** Holds every answer against what is known of every member at the time. */
export class ChaosWitness {
  readonly counts = { answers: 0, marked: 0, checked: 0, others: 0 };
  readonly violations: string[] = [];
  /** The longest time for which a dead member was still listed, in ms. */
  longestDead = 0;
  readonly #goneMs: number;
  /** Since when a member has to be in every answer: how it stood then. */
  readonly #expected = new Map<Member, Standing>();

  /** @param goneMs How long a dead member may still be listed. */
  constructor(goneMs: number) {
    this.#goneMs = goneMs;
  }

  /**
   * Asks once, and judges the answer.
   *
   * A member that registered lately is expected from the first answer on that is not marked as stale: then it has to be
   * there, and in every answer behind that, marked or not, until something is done to it.
   */
  async look(ask: () => Promise<ListingAnswer>, members: readonly Member[]): Promise<void> {
    const askedAt = performance.now();
    const before = new Map(members.map((member) => [member, member.standing]));
    const { status, endpoints, age } = await ask();
    this.counts.answers += 1;
    if (age !== undefined) this.counts.marked += 1;
    if (status !== 200) {
      this.counts.others += 1;
      this.violations.push(`status ${String(status)}`);
      return;
    }
    const listed = new Set(endpoints);
    for (const [member, standing] of before) {
      if (member.standing !== standing) this.#expected.delete(member);
      else if (standing.fate === 'alive') this.#missing(member, standing, askedAt, age === undefined, listed);
    }
    this.#dead(members, askedAt, listed);
  }

  #missing(member: Member, standing: Standing, askedAt: number, live: boolean, listed: ReadonlySet<string>): void {
    if (live && askedAt - standing.since > NEWCOMER_MS) this.#expected.set(member, standing);
    if (this.#expected.get(member) !== standing) return;
    this.counts.checked += 1;
    if (!listed.has(member.endpoint)) this.violations.push(`${member.endpoint} is alive and missing`);
  }

  #dead(members: readonly Member[], askedAt: number, listed: ReadonlySet<string>): void {
    const latest = new Map(members.map((member) => [member.endpoint, member.standing]));
    for (const [endpoint, { fate, since }] of latest) {
      if (fate !== 'dead' || !listed.has(endpoint)) continue;
      this.longestDead = Math.max(this.longestDead, askedAt - since);
      if (askedAt - since > this.#goneMs) this.violations.push(`${endpoint} is dead and listed`);
    }
  }
}
