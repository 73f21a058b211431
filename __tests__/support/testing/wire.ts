import { connect } from 'node:net';

/** What a client sees of one connection on which it sends one request. */
export interface Sight {
  /** All that arrived, as text. */
  readonly bytes: string;
  /** How the server ended the connection; `open` when it did not within the time given. */
  readonly end: 'closed' | 'reset' | 'open';
}

const SILENCE_MS = 75;
const FIRST_BYTE_LIMIT_MS = 20_000;

/**
 * Sends a GET for `path` on a connection of its own, and watches what arrives until the connection ends, or nothing has come for a
 * while. The first byte may be long in coming, for the machine may be busy, unless `isSilent` says that none is expected; so may the end, if
 * `ends` says that there is one.
 */
export function watchConnection(url: string, path: string, { isSilent = false, ends = false } = {}): Promise<Sight> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve) => {
    const socket = connect({ port: Number(port), host: hostname, allowHalfOpen: true });
    let bytes = '';
    const done = (end: Sight['end']): void => {
      clearTimeout(limit);
      socket.destroy();
      resolve({ bytes, end });
    };
    let limit = setTimeout(done, isSilent ? SILENCE_MS : FIRST_BYTE_LIMIT_MS, 'open');
    const waitForSilence = (): void => {
      if (ends) return;
      clearTimeout(limit);
      limit = setTimeout(() => {
        // What has arrived while this process had to wait for its turn is seen before the second one.
        limit = setTimeout(done, SILENCE_MS, 'open');
      }, SILENCE_MS);
    };
    socket.setEncoding('latin1').on('data', (text: string) => {
      bytes += text;
      waitForSilence();
    });
    socket.once('end', () => {
      // libuv reports an orderly end, too, when it finds the reset together with the bytes before it. Only after an orderly one can
      // more be sent.
      socket.write('x', (error) => done(error ? 'reset' : 'closed'));
    });
    socket.once('error', () => done('reset'));
    socket.write(`GET ${path} HTTP/1.1\r\nHost: test\r\n\r\n`);
  });
}

/** The head of a message, without the line that changes, and its body. */
export function headAndBody(message: string): [head: string, body: string] {
  const [head = '', ...body] = message.replace(/Date: [^\r]*\r\n/, '').split('\r\n\r\n');
  return [head, body.join('\r\n\r\n')];
}
