import type { EntryCheck } from '../directory/directory.js';
import type { Endpoint } from '../endpoint/endpoint.js';
import { parseEndpoint } from '../endpoint/parse.js';

/** One endpoint and the memory of its checks. */
export class TrackedEndpoint {
  #endpoint: Endpoint | undefined;
  #check: EntryCheck = { state: 'unknown', since: Date.now() };
  #hasBeenUp = false;
  /** Checks in a row that speak against the state. */
  #against = 0;

  constructor(readonly text: string) {}

  /** Taken apart when it is first checked: many may join at once. */
  get endpoint(): Endpoint {
    return (this.#endpoint ??= parseEndpoint(this.text));
  }

  get check(): EntryCheck {
    return this.#check;
  }

  /** True when this check has put the endpoint on the list: the first good one ever, later the `rise`th in a row. */
  pass(ms: number, rise: number): boolean {
    this.#check = { ...this.#check, ms };
    if (this.#check.state === 'up') {
      this.#against = 0;
      return false;
    }
    this.#against += 1;
    if (this.#hasBeenUp && this.#against < rise) return false;
    this.#hasBeenUp = true;
    this.#become('up');
    return true;
  }

  /** True when this check has taken the endpoint off the list, the `fall`th in a row, or has shown at first that it cannot go there. */
  fail(ms: number, { message: reason }: Error, fall: number): boolean {
    this.#check = { ...this.#check, ms, reason };
    if (this.#check.state === 'down') {
      this.#against = 0;
      return false;
    }
    this.#against += 1;
    if (this.#check.state === 'up' && this.#against < fall) return false;
    this.#become('down');
    return true;
  }

  #become(state: 'up' | 'down'): void {
    this.#check = { ...this.#check, state, since: Date.now() };
    this.#against = 0;
  }
}
