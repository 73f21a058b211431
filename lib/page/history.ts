import type { DirectoryEntry } from '../directory/directory.js';

/** A time for which an endpoint was listed, in ms of `performance.now()`; without an end it is listed now. */
export interface Span {
  readonly from: number;
  readonly to?: number;
}

/** What is known of one endpoint. */
export interface Past {
  /** Newest last; the last one says whether it is listed now. */
  readonly spans: readonly Span[];
  /** Whether it was on the first list that was seen: since when is unknown. */
  readonly isFromTheStart: boolean;
}

/** How far back changes are shown, in ms. */
export const KEPT_MS = 3_600_000;
/** How many changes of one endpoint, and how many endpoints that have left, are kept: memory stays bounded however often a list changes. */
const MAX_SPANS = 50;
const MAX_LEFT = 1000;

/** When each endpoint was on a list, as far back as {@link KEPT_MS}. */
export class History {
  readonly #pasts = new Map<string, { spans: Span[]; isFromTheStart: boolean }>();
  /** When the first list was seen; nothing before. */
  #startedAt: number | undefined;
  /** The endpoint of each source, as last seen. */
  #endpointOf: ReadonlyMap<string, string | undefined> = new Map();
  #entries: readonly DirectoryEntry[] = [];
  /** Whether the directory lists what clients get. */
  #isOfList = true;
  /** How many changes the directory has reported. */
  heard = 0;

  get startedAt(): number | undefined {
    return this.#startedAt;
  }

  /** Takes the list as it is now. */
  observe(endpoints: Iterable<string>, now: number): void {
    const listed = new Set(endpoints);
    const isFirst = this.#startedAt === undefined;
    this.#startedAt ??= now;
    for (const [endpoint, { spans }] of this.#pasts) {
      const last = spans.at(-1);
      if (last?.to === undefined && !listed.has(endpoint)) spans.splice(-1, 1, { from: Number(last?.from), to: now });
    }
    for (const endpoint of listed) {
      const past = this.#pasts.get(endpoint);
      if (past === undefined) this.#pasts.set(endpoint, { spans: [{ from: now }], isFromTheStart: isFirst });
      else if (past.spans.at(-1)?.to !== undefined) past.spans.push({ from: now });
    }
    this.#forget(now);
  }

  /**
   * Takes the list of a directory with its entries. Where a source has another endpoint than before, its rules are others, too: what
   * has left may be an address that they hide now, and is forgotten.
   */
  follow(list: Iterable<string>, entries: readonly DirectoryEntry[], now: number): void {
    this.heard += 1;
    this.#remember(entries);
    if (this.#isOfList) this.observe(list, now);
  }

  /**
   * The entries that may be shown: all, unless the directory lists what clients do not get, as something behind it translates or
   * filters; then none, and its changes count for nothing.
   */
  judge(served: readonly string[] | undefined, entries: readonly DirectoryEntry[]): readonly DirectoryEntry[] {
    this.#remember(entries);
    const listed = entries.filter(({ state }) => state === 'listed');
    if (served !== undefined && listed.length > 0) {
      const given = new Set<string | undefined>(served);
      const wasOfList = this.#isOfList;
      this.#isOfList = listed.every(({ endpoint }) => given.has(endpoint));
      if (wasOfList && !this.#isOfList) this.#keepOnly(given);
    }
    return this.#isOfList ? entries : [];
  }

  #remember(entries: readonly DirectoryEntry[]): void {
    if (entries === this.#entries) return;
    this.#entries = entries;
    const before = this.#endpointOf;
    this.#endpointOf = new Map(entries.map(({ source, endpoint }) => [source, endpoint]));
    const areOthers = entries.some(({ source, endpoint }) => before.has(source) && before.get(source) !== endpoint);
    if (areOthers) this.#keepOnly(new Set(this.#endpointOf.values()));
  }

  #keepOnly(endpoints: ReadonlySet<string | undefined>): void {
    for (const endpoint of this.#pasts.keys()) if (!endpoints.has(endpoint)) this.#pasts.delete(endpoint);
  }

  of(endpoint: string): Past | undefined {
    return this.#pasts.get(endpoint);
  }

  /** The endpoints that have left, the last one first. */
  left(): readonly string[] {
    return this.#left().map(([endpoint]) => endpoint);
  }

  #left(): readonly (readonly [endpoint: string, at: number | undefined])[] {
    return Array.from(this.#pasts, ([endpoint, past]) => [endpoint, leftAt(past)] as const)
      .filter(([, at]) => at !== undefined)
      .sort(([, one], [, other]) => Number(other) - Number(one));
  }

  #forget(now: number): void {
    for (const { spans } of this.#pasts.values()) spans.splice(0, spans.length - MAX_SPANS);
    this.#left().forEach(([endpoint, at], index) => {
      if (index >= MAX_LEFT || now - Number(at) > KEPT_MS) this.#pasts.delete(endpoint);
    });
  }
}

/** When an endpoint left the list; nothing while it is on it. */
export function leftAt({ spans }: Pick<Past, 'spans'>): number | undefined {
  return spans.at(-1)?.to;
}
