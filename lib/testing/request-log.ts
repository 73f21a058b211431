import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import type { TroubleKind } from './trouble.js';

/** A request that a coordinator has received. */
export interface ReceivedRequest {
  /** The index of the coordinator. */
  readonly coordinator: number;
  readonly method: string;
  /** Path and query, as they were sent. */
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
  /** The time of its arrival in ms since 1970. */
  readonly receivedAt: number;
  /** The trouble that it met; `null` without one. */
  readonly trouble: TroubleKind | null;
}

/** The test of a driver rarely looks further back, and a soak must not fill the memory. */
const KEPT = 10_000;

/** What one cluster has received. */
export class RequestLog {
  #requests: ReceivedRequest[] = [];

  /** Notes a request; what it meets is added when it is known. */
  add(coordinator: number, { method, url, headers }: IncomingMessage) {
    const request = {
      coordinator,
      method: String(method),
      url: String(url),
      headers,
      receivedAt: Date.now(),
      trouble: null as TroubleKind | null,
    };
    this.#requests.push(request);
    if (this.#requests.length > KEPT) this.#requests.shift();
    return request;
  }

  all(): readonly ReceivedRequest[] {
    return this.#requests.slice();
  }

  of(coordinator: number): readonly ReceivedRequest[] {
    return this.#requests.filter((request) => request.coordinator === coordinator);
  }

  clear(): void {
    this.#requests = [];
  }
}
