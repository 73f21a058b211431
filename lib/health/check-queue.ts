/** How the last check of an endpoint went: fit or failed at once; failed by taking all its time, once or so often that it is down. */
export type Pace = 'prompt' | 'suspect' | 'hanging';

/**
 * The endpoints whose check is due, in the order in which they may begin, no more than `max` at a time.
 *
 * Checks that hang hold their place for all their time. A fifth of the places is not for them, so that they delay no endpoint whose
 * check is over at once; another fifth is theirs. Those that are down already come last: nothing depends on them.
 */
export class CheckQueue<Item extends { readonly pace: Pace }> {
  readonly #max: number;
  /** Of each kind, while others wait. */
  readonly #most: number;
  readonly #waiting = { prompt: new Fifo<Item>(), suspect: new Fifo<Item>(), hanging: new Fifo<Item>() };
  #prompt = 0;
  #slow = 0;

  constructor(max: number) {
    this.#max = max;
    this.#most = max - Math.ceil(max / 5);
  }

  push(item: Item): void {
    // With one place, there is none to keep free.
    this.#waiting[this.#max === 1 ? 'prompt' : item.pace].push(item);
  }

  /** Runs as many as may begin. */
  start(run: (item: Item) => Promise<unknown>): void {
    while (this.#prompt + this.#slow < this.#max) {
      const item = this.#next();
      if (item === undefined) return;
      const isPrompt = item.pace === 'prompt';
      this.#count(isPrompt, 1);
      void run(item).then(() => {
        this.#count(isPrompt, -1);
        this.start(run);
      });
    }
  }

  #next(): Item | undefined {
    const { prompt, suspect, hanging } = this.#waiting;
    const isNobodySlow = suspect.isEmpty && hanging.isEmpty;
    if (!prompt.isEmpty && (this.#prompt < this.#most || isNobodySlow)) return prompt.shift();
    return this.#slow < this.#most ? (suspect.shift() ?? hanging.shift()) : undefined;
  }

  #count(isPrompt: boolean, change: number): void {
    if (isPrompt) this.#prompt += change;
    else this.#slow += change;
  }
}

interface Link<Item> {
  readonly item?: Item;
  next?: Link<Item>;
}

/** First in, first out. `Array.shift` moves all that are behind. */
class Fifo<Item> {
  /** The link that was taken last; in the beginning, one without an item. */
  #taken: Link<Item> = {};
  #last = this.#taken;

  get isEmpty(): boolean {
    return this.#taken.next === undefined;
  }

  push(item: Item): void {
    this.#last = this.#last.next = { item };
  }

  shift(): Item | undefined {
    const { next } = this.#taken;
    if (next !== undefined) this.#taken = next;
    return next?.item;
  }
}
