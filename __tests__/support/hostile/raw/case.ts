/** A request written by hand, and the names of the answers that it must get, in order. */
export interface HandMadeCase {
  readonly bytes: string;
  /** The bytes of each packet; one packet, where there is none said. */
  readonly packets?: readonly string[];
  readonly answers: readonly string[];
}

/** The bytes of a request without a body. */
export function get(target: string, ...headers: readonly string[]): string {
  return requestBytes('GET', target, ...headers);
}

export function requestBytes(method: string, target: string, ...headers: readonly string[]): string {
  return [`${method} ${target} HTTP/1.1`, 'Host: a', ...headers, '', ''].join('\r\n');
}
