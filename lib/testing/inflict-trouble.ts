import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { alteredAnswer } from './altered-answer.js';
import {
  captureAnswer,
  beginAnswer,
  headBytes,
  sendAnswer,
  withHeaders,
  type CapturedAnswer,
} from './captured-answer.js';
import type { RequestTrouble } from './trouble-rules.js';

/** A client that finds a reset together with the bytes before it sees an orderly end: libuv reports it so. */
const UNTIL_READ_MS = 100;

/** A request that meets a trouble. */
export interface Victim {
  readonly req: IncomingMessage;
  readonly res: ServerResponse & { req: IncomingMessage };
  /** What would answer it without the trouble. */
  readonly application: RequestListener;
  /** The TCP connection, below TLS. */
  readonly tcp: Socket;
  /** The same path at the next coordinator. */
  readonly next: string;
  /** Sees to it that the connection ends as soon as another request comes on it. */
  readonly endAtNextRequest: () => void;
}

/** Does to a request what the trouble says. Never rejects: what fails here ends the connection. */
export async function inflict(trouble: RequestTrouble, victim: Victim): Promise<void> {
  const left = new AbortController();
  victim.res.once('close', () => left.abort());
  try {
    await act(trouble, victim, left.signal);
  } catch {
    victim.tcp.destroy();
  }
}

async function act(trouble: RequestTrouble, victim: Victim, signal: AbortSignal): Promise<void> {
  const { req, res, application, tcp } = victim;
  const answer = (): Promise<CapturedAnswer> => captureAnswer(application, req);
  switch (trouble.kind) {
    case 'silence':
      return;
    case 'delay':
      await pause(trouble.milliseconds, undefined, { signal });
      application(req, res);
      return;
    case 'reset':
      if (trouble.at !== 'before-head') {
        await writeBytes(req.socket, beforeReset(await answer(), trouble.at));
        await pause(UNTIL_READ_MS, undefined, { signal });
      }
      tcp.resetAndDestroy();
      return;
    case 'truncated-body': {
      const whole = await answer();
      req.socket.end(Buffer.concat([headBytes(whole), firstHalf(whole.body)]));
      return;
    }
    case 'wrong-content-length': {
      const whole = await answer();
      const length = Math.max(0, whole.body.length + trouble.difference);
      sendAnswer(res, withHeaders(whole, { 'Content-Length': String(length) }));
      return;
    }
    case 'slow-drip':
      await drip(res, await answer(), trouble, signal);
      return;
    case 'keep-alive':
      if (trouble.closed === 'while-sending') victim.endAtNextRequest();
      else res.once('finish', () => req.socket.end());
      sendAnswer(res, await answer());
      return;
    case 'status':
    case 'answer':
    case 'not-json':
    case 'shape':
    case 'entries':
    case 'redirect':
    case 'proxy-page':
    case 'gzip':
      sendAnswer(res, alteredAnswer(await answer(), trouble, victim.next));
  }
}

function beforeReset(answer: CapturedAnswer, at: 'in-head' | 'after-head'): Buffer {
  const head = headBytes(answer);
  return at === 'in-head' ? firstHalf(head) : Buffer.concat([head, firstHalf(answer.body)]);
}

const firstHalf = (bytes: Buffer): Buffer => bytes.subarray(0, bytes.length >> 1);

/** Resolves when the system has the bytes. */
function writeBytes(socket: Socket, bytes: Buffer): Promise<void> {
  return new Promise((resolve) => {
    socket.write(bytes, () => resolve());
  });
}

async function drip(
  res: ServerResponse,
  answer: CapturedAnswer,
  { bytes, intervalMs }: { bytes: number; intervalMs: number },
  signal: AbortSignal,
): Promise<void> {
  beginAnswer(res, answer);
  for (let sent = 0; sent < answer.body.length; sent += bytes) {
    if (sent > 0) await pause(intervalMs, undefined, { signal });
    res.write(answer.body.subarray(sent, sent + bytes));
  }
  res.end();
}
