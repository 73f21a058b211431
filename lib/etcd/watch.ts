import { StringDecoder } from 'node:string_decoder';
import { field, fields, type Fields, int64, listField, resultOf, stateOf, type StoreState } from './answer-fields.js';
import { MAX_ANSWER_BYTES, type Gateway } from './json-gateway.js';
import type { Keys, StoredKey } from './keys.js';

/** One change of one key. */
export interface KeyChange {
  readonly name: string;
  readonly deleted: boolean;
  /** The key that was put; for a deleted one, only the revision is valid. */
  readonly key: StoredKey;
}

/** One message of a watch. The first one confirms the watch and usually has no changes. */
export interface WatchMessage extends StoreState {
  readonly changes: readonly KeyChange[];
}

/**
 * Watches all keys from a revision on: each change, in order, without a gap.
 *
 * It ends with an error whenever there might be one: the stream has ended or broken, the watch was canceled, the history it
 * needs was compacted, the host has lost its leader, a message could not be read. It is never resumed: the caller reads all keys
 * again. (npm's etcd3 resumes, and so loses changes.)
 */
export async function* watch(
  { gateway, keys }: { readonly gateway: Gateway; readonly keys: Keys },
  host: string,
  fromRevision: bigint,
  signal: AbortSignal,
): AsyncGenerator<WatchMessage, never> {
  const create_request = { ...keys.range, start_revision: String(fromRevision) };
  const stream = await gateway.open(host, { path: '/v3/watch', body: { create_request } }, signal);
  const lines = new JsonLines(MAX_ANSWER_BYTES);
  for await (const bytes of stream as AsyncIterable<Buffer>) {
    for (const message of lines.push(bytes)) yield watchMessageOf(message, keys);
  }
  throw new Error('watch ended');
}

function watchMessageOf(message: unknown, keys: Keys): WatchMessage {
  const result = resultOf(message);
  // First, because a watch without permission is `created` and `canceled` in one message.
  if (result['canceled'] === true) throw new Error(canceled(result));
  return { ...stateOf(result), changes: listField(result, 'events').map((event) => changeOf(event, keys)) };
}

function changeOf(event: unknown, keys: Keys): KeyChange {
  const { type = 'PUT', ...rest } = fields(event, 'events');
  if (type !== 'PUT' && type !== 'DELETE') throw new Error(`unknown type of change: ${JSON.stringify(type)}`);
  const [name, key] = keys.read(field(rest, 'kv'));
  return { name, deleted: type === 'DELETE', key };
}

function canceled(result: Fields): string {
  const compacted = int64(result, 'compact_revision');
  if (compacted > 0n) return `watch canceled: history compacted up to revision ${String(compacted)}`;
  return `watch canceled: ${JSON.stringify(result['cancel_reason'] ?? '')}`;
}

/**
 * Reads JSON texts, one per line, from a stream of bytes that may be cut anywhere. Node's `readline` would do, but grows without limit on an
 * endless line.
 */
export class JsonLines {
  readonly #decoder = new StringDecoder('utf8');
  #rest: string[] = [];
  #characters = 0;

  constructor(private readonly maxCharacters: number) {}

  /**
   * The values that these bytes complete. An incomplete line is kept for later.
   *
   * @throws Error for a line that is too long, or not JSON. It does not show the line.
   */
  *push(bytes: Buffer): Generator<unknown, void> {
    const pieces = this.#decoder.write(bytes).split('\n');
    for (const [index, piece] of pieces.entries()) {
      this.#keep(piece);
      if (index === pieces.length - 1) return;
      const line = this.#rest.join('');
      this.#rest = [];
      this.#characters = 0;
      if (line.trim() !== '') yield parsedLine(line);
    }
  }

  #keep(piece: string): void {
    this.#characters += piece.length;
    if (this.#characters > this.maxCharacters) {
      throw new Error(`line of more than ${String(this.maxCharacters)} characters`);
    }
    this.#rest.push(piece);
  }
}

function parsedLine(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    throw new Error('line is not JSON');
  }
}
