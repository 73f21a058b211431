import { SCHEMES } from './endpoint.js';

const SHOWN_CHARACTERS = 200;

/** A text that is not an endpoint description. The message names the text, the reason and the allowed schemes. */
export class EndpointSyntaxError extends Error {
  override readonly name = 'EndpointSyntaxError';

  /** What is wrong, without the text: `port 0 is outside 1 to 65535`. */
  readonly reason: string;

  constructor(text: unknown, reason: string) {
    super(`${shown(text)} is not an endpoint: ${reason}; allowed schemes: ${[...SCHEMES.keys()].join(', ')}`);
    this.reason = reason;
  }
}

/** A value as one short line: text quoted, cut when long, without the user and password that it may carry. */
export function shown(value: unknown): string {
  if (typeof value !== 'string') return value === null ? 'null' : Array.isArray(value) ? 'an array' : typeof value;
  const text = withoutUserInfo(value);
  if (text.length <= SHOWN_CHARACTERS) return JSON.stringify(text);
  return `${JSON.stringify(text.slice(0, SHOWN_CHARACTERS))}... (${String(value.length)} characters)`;
}

/** A text that may be an endpoint, fit to be shown: a password that stands in it is for nobody's log. */
export function withoutUserInfo(text: string): string {
  const separator = text.indexOf('://');
  const start = separator < 0 ? 0 : separator + 3;
  const at = text.lastIndexOf('@');
  return at < start ? text : `${text.slice(0, start)}***${text.slice(at)}`;
}
