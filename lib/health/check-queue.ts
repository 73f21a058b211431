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
  readonly #reserved: number;
  readonly #waiting = { prompt: new Fifo<Item>(), suspect: new Fifo<Item>(), hanging: new Fifo<Item>() };
  #prompt = 0;
  #slow = 0;

  constructor(max: number) {
    this.#max = max;
    this.#reserved = max === 1 ? 0 : Math.ceil(max / 5);
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
    const most = this.#max - this.#reserved;
    const isNobodySlow = suspect.isEmpty && hanging.isEmpty;
    if (!prompt.isEmpty && (this.#prompt < most || isNobodySlow)) return prompt.shift();
    return this.#slow < most ? (suspect.shift() ?? hanging.shift()) : undefined;
  }

  #count(isPrompt: boolean, change: number): void {
    if (isPrompt) this.#prompt += change;
    else this.#slow += change;
  }
}

/** First in, first out. `Array.shift` moves all that are behind. */
class Fifo<Item> {
  #items: Item[] = [];
  #next = 0;

  get isEmpty(): boolean {
    return this.#next === this.#items.length;
  }

  push(item: Item): void {
    this.#items.push(item);
  }

  shift(): Item | undefined {
    if (this.isEmpty) return undefined;
    const item = this.#items[this.#next];
    this.#next += 1;
    if (this.#next === this.#items.length || this.#next === 10_000) {
      this.#items = this.#items.slice(this.#next);
      this.#next = 0;
    }
    return item;
  }
}
