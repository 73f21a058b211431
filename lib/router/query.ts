import type { Request } from 'express';
import type { EndpointQuery } from './contract.js';

/** What a provider is asked. Its signal is made when it is first read, so it costs nothing where nobody reads it. */
export class Query implements EndpointQuery {
  #controller: AbortController | undefined;
  #reason: DOMException | undefined;

  constructor(
    readonly listing: EndpointQuery['listing'],
    readonly database: string,
    readonly req: Request,
  ) {}

  get signal(): AbortSignal {
    if (this.#controller === undefined) {
      this.#controller = new AbortController();
      if (this.#reason !== undefined) this.#controller.abort(this.#reason);
    }
    return this.#controller.signal;
  }

  /** Not a method: the provider holds the query, and giving up is the router's business. */
  static giveUp(query: Query, reason: DOMException): void {
    query.#reason = reason;
    query.#controller?.abort(reason);
  }
}
