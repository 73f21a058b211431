import { STATUS_CODES, ServerResponse, type IncomingMessage, type RequestListener } from 'node:http';
import { Socket } from 'node:net';

/** A complete answer that has not been sent. */
export interface CapturedAnswer {
  readonly status: number;
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body: Buffer;
}

/** Headers that belong to a connection or to a moment, and so to the sender. */
const OF_THE_CONNECTION: ReadonlySet<string> = new Set(['connection', 'keep-alive', 'transfer-encoding', 'date']);

/** A connection that goes nowhere, and keeps what is written to it: a head as text, a body as bytes. */
class Sink extends Socket {
  readonly written: Buffer[] = [];

  override _write(chunk: string | Buffer, encoding: BufferEncoding, done: () => void): void {
    this._writev([{ chunk, encoding }], done);
  }

  override _writev(chunks: { chunk: string | Buffer; encoding: BufferEncoding }[], done: () => void): void {
    for (const { chunk, encoding } of chunks) {
      this.written.push(typeof chunk === 'string' ? Buffer.from(chunk, encoding) : chunk);
    }
    done();
  }
}

/**
 * The answer that `application` gives to a request, without sending it: the response is one of its own, as of HTTP/1.0, so that its
 * body is not in chunks.
 *
 * @throws when the application destroys its response.
 */
export function captureAnswer(application: RequestListener, req: IncomingMessage): Promise<CapturedAnswer> {
  const sink = new Sink({});
  const res = new ServerResponse(req);
  res.useChunkedEncodingByDefault = false;
  res.assignSocket(sink);
  return new Promise((resolve, reject) => {
    res.once('finish', () => resolve(parsedMessage(Buffer.concat(sink.written))));
    res.once('close', () => reject(new Error('the application has destroyed its response')));
    application(req, res);
  });
}

function parsedMessage(message: Buffer): CapturedAnswer {
  const end = message.indexOf('\r\n\r\n');
  const [, ...lines] = message.toString('latin1', 0, end).split('\r\n');
  const headers = lines.map((line): [string, string] => {
    const colon = line.indexOf(':');
    return [line.slice(0, colon), line.slice(colon + 1).trim()];
  });
  return {
    status: Number(message.toString('latin1', 'HTTP/1.1 '.length, 'HTTP/1.1 200'.length)),
    headers: headers.filter(([name]) => !OF_THE_CONNECTION.has(name.toLowerCase())),
    body: message.subarray(end + '\r\n\r\n'.length),
  };
}

/** Sends an answer with the headers that a connection which is kept alive has. */
export function sendAnswer(res: ServerResponse, answer: CapturedAnswer): void {
  beginAnswer(res, answer);
  res.end(answer.body);
}

/** Sets status and headers; they leave with the first byte of the body. */
export function beginAnswer(res: ServerResponse, { status, headers }: CapturedAnswer): void {
  res.statusCode = status;
  for (const [name, value] of headers) res.appendHeader(name, value);
}

/** The head of an answer as its bytes, for those who do not send all of it. */
export function headBytes({ status, headers }: CapturedAnswer): Buffer {
  const lines = headers.map(([name, value]) => `${name}: ${value}\r\n`).join('');
  return Buffer.from(`HTTP/1.1 ${String(status)} ${STATUS_CODES[status] ?? ''}\r\n${lines}\r\n`, 'latin1');
}

/** The same answer with other headers; those of the same name go. */
export function withHeaders(answer: CapturedAnswer, headers: Readonly<Record<string, string>>): CapturedAnswer {
  const replaced = new Set(Object.keys(headers).map((name) => name.toLowerCase()));
  const kept = answer.headers.filter(([name]) => !replaced.has(name.toLowerCase()));
  return { ...answer, headers: [...kept, ...Object.entries(headers)] };
}

/** The same answer with another body, and with the headers that say so. */
export function withBody(
  answer: CapturedAnswer,
  body: Buffer,
  headers: Readonly<Record<string, string>> = {},
): CapturedAnswer {
  return { ...withHeaders(answer, { ...headers, 'Content-Length': String(body.length) }), body };
}
