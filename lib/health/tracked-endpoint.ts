import type { Endpoint } from '../endpoint/endpoint.js';
import { parseEndpoint } from '../endpoint/parse.js';

/** What the checks say of one endpoint. */
export interface EndpointHealth {
  readonly endpoint: string;
  /** `unknown`: no check has ended yet. `up`: it is on the list. `down`: it is off the list. */
  readonly state: 'unknown' | 'up' | 'down';
  /** ms for which it has been in this state. */
  readonly ageMs: number;
  /** Why the last check that failed did so; it stays after recovery. */
  readonly lastError?: string;
  /** ms that the last check took. */
  readonly lastCheckMs?: number;
}

/** One endpoint and the memory of its checks. */
export class TrackedEndpoint {
  readonly text: string;
  readonly endpoint: Endpoint;
  #state: EndpointHealth['state'] = 'unknown';
  #since = performance.now();
  #hasBeenUp = false;
  /** Checks in a row that speak against the state. */
  #against = 0;
  #lastError: string | undefined;
  #lastCheckMs: number | undefined;

  constructor(text: string) {
    this.text = text;
    this.endpoint = parseEndpoint(text);
  }

  get isUp(): boolean {
    return this.#state === 'up';
  }

  /** True when this check has put the endpoint on the list: the first good one ever, later the `rise`th in a row. */
  pass(checkMs: number, rise: number): boolean {
    this.#lastCheckMs = checkMs;
    if (this.#state === 'up') {
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
  fail(checkMs: number, reason: Error, fall: number): boolean {
    this.#lastCheckMs = checkMs;
    this.#lastError = reason.message;
    if (this.#state === 'down') {
      this.#against = 0;
      return false;
    }
    this.#against += 1;
    if (this.#state === 'up' && this.#against < fall) return false;
    this.#become('down');
    return true;
  }

  health(): EndpointHealth {
    return {
      endpoint: this.text,
      state: this.#state,
      ageMs: performance.now() - this.#since,
      ...(this.#lastError !== undefined && { lastError: this.#lastError }),
      ...(this.#lastCheckMs !== undefined && { lastCheckMs: this.#lastCheckMs }),
    };
  }

  #become(state: 'up' | 'down'): void {
    this.#state = state;
    this.#since = performance.now();
    this.#against = 0;
  }
}
