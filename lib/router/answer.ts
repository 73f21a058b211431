import { STATUS_CODES } from 'node:http';

/** An answer that only has to be written: the bytes of its body and their number, made once. */
export interface Answer {
  readonly status: number;
  readonly statusText: string;
  readonly body: Buffer;
  readonly contentLength: string;
}

/** Serialises here, and not in `res.json`, so that no setting of the host application changes a byte. */
export function createAnswer(status: number, body: unknown): Answer {
  const bytes = Buffer.from(JSON.stringify(body));
  return { status, statusText: statusText(status), body: bytes, contentLength: String(bytes.length) };
}

/** The standard text of a status. */
export function statusText(status: number): string {
  return STATUS_CODES[status] ?? 'Unknown Error';
}
