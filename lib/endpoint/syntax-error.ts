import { shown } from '../text/shown.js';
import { SCHEMES } from './endpoint.js';

/** A text that is not an endpoint description. The message names the text, the reason and the allowed schemes. */
export class EndpointSyntaxError extends Error {
  override readonly name = 'EndpointSyntaxError';

  /** What is wrong, without the text: `the port is outside 1 to 65535`. */
  readonly reason: string;

  constructor(text: unknown, reason: string) {
    super(`${shown(text)} is not an endpoint: ${reason}; allowed schemes: ${[...SCHEMES.keys()].join(', ')}`);
    this.reason = reason;
  }
}
