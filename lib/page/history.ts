/** A time for which an endpoint was listed, in ms of `performance.now()`; without an end it is listed now. */
export interface Span {
  readonly from: number;
  readonly to?: number;
}

/** What is known of one endpoint. */
export interface Past {
  readonly endpoint: string;
  /** Newest last; the last one says whether it is listed now. */
  readonly spans: readonly Span[];
  /** Whether it was on the first list that was seen, so that nobody knows since when. */
  readonly isFromTheStart: boolean;
}

/** How far back changes are shown, in ms. */
export const KEPT_MS = 3_600_000;
/** So many changes of one endpoint, and so many endpoints that have left, are kept: a list in turmoil costs no more memory. */
const MAX_SPANS = 50;
const MAX_LEFT = 1000;

/** When each endpoint was on a list, as far back as {@link KEPT_MS}. */
export class History {
  readonly #pasts = new Map<string, { spans: Span[]; isFromTheStart: boolean }>();
  /** When the first list was seen; nothing before. */
  #startedAt: number | undefined;

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

  of(endpoint: string): Past | undefined {
    const past = this.#pasts.get(endpoint);
    return past === undefined ? undefined : { endpoint, ...past };
  }

  /** The endpoints that have left, the last one first. */
  left(): readonly Past[] {
    const left = [...this.#pasts]
      .map(([endpoint, past]) => ({ endpoint, ...past }))
      .filter((past) => leftAt(past) !== undefined);
    return left.sort((one, other) => Number(leftAt(other)) - Number(leftAt(one)));
  }

  #forget(now: number): void {
    for (const { spans } of this.#pasts.values()) spans.splice(0, spans.length - MAX_SPANS);
    this.left().forEach((past, index) => {
      if (index >= MAX_LEFT || now - Number(leftAt(past)) > KEPT_MS) this.#pasts.delete(past.endpoint);
    });
  }
}

/** When an endpoint left the list; nothing while it is on it. */
export function leftAt({ spans }: Pick<Past, 'spans'>): number | undefined {
  return spans.at(-1)?.to;
}
