import { field, fields, type Fields, int64, list, resultOf, text } from './answers.js';
import type { Gateway } from './gateway.js';
import { JsonLines } from './json-lines.js';
import type { Keys } from './keys.js';
import { MAX_ANSWER_BYTES } from './post.js';

/** One change of one key. */
export interface KeyChange {
  readonly key: string;
  readonly deleted: boolean;
  /** The state of the store that the change has made. */
  readonly revision: bigint;
}

/** What one message of a watch says. The first one says that the watch is there: it has no changes. */
export type WatchMessage = readonly KeyChange[];

/**
 * Watches all keys from a revision on: each change, in order, without a gap.
 *
 * It ends with an error whenever there might be one: the stream has ended or broken, the watch was canceled, the history it
 * wants was compacted, the host has lost its leader, a message could not be read. It is never taken up again from where it
 * was: the one who watches reads all entries again. (npm's etcd3 resumes, and loses changes that way.)
 */
export async function* watch(
  gateway: Gateway,
  host: string,
  keys: Keys,
  fromRevision: bigint,
  signal: AbortSignal,
): AsyncGenerator<WatchMessage, never> {
  const create_request = { ...keys.range, start_revision: String(fromRevision) };
  const stream = await gateway.open(host, '/v3/watch', { create_request }, signal);
  const lines = new JsonLines(MAX_ANSWER_BYTES);
  for await (const bytes of stream as AsyncIterable<Buffer>) {
    for (const message of lines.push(bytes)) yield messageOf(message);
  }
  throw new Error('the watch has ended');
}

function messageOf(message: unknown): WatchMessage {
  const result = resultOf(message);
  // Looked at first: a watch that was never allowed is `created` and `canceled` in one message.
  if (result['canceled'] === true) throw new Error(canceled(result));
  return list(result, 'events').map(changeOf);
}

function changeOf(event: unknown): KeyChange {
  const { type = 'PUT', ...rest } = fields(event, 'events');
  if (type !== 'PUT' && type !== 'DELETE') throw new Error(`a change of unknown type ${JSON.stringify(type)}`);
  const kv = field(rest, 'kv');
  return { key: text(kv, 'key'), deleted: type === 'DELETE', revision: int64(kv, 'mod_revision') };
}

function canceled(result: Fields): string {
  const compacted = int64(result, 'compact_revision');
  if (compacted > 0n) return `the watch was canceled: its history was compacted up to revision ${String(compacted)}`;
  return `the watch was canceled: ${JSON.stringify(result['cancel_reason'] ?? '')}`;
}
