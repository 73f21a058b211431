import { etcdError, foreignAnswer, type GatewayError, unexpectedField } from './errors.js';

/** An object in a response, with unchecked fields. */
export type Fields = Readonly<Record<string, unknown>>;

/** Removes passwords and tokens from a text. */
export type Hide = (text: string) => string;

/** The body of a response with status 200. @throws GatewayError for an error in it, and for a response that is not from etcd. */
export function fieldsOfAnswer(text: string, hide: Hide): Fields {
  const answer = parsedObject(text);
  if (answer === undefined) throw foreignAnswer(200, hide(text));
  return unlessError(answer);
}

/** The error in a response with a status other than 200. */
export function errorOf(status: number, text: string, hide: Hide): GatewayError {
  const body = parsedObject(text);
  return typeof body?.['message'] === 'string' ? etcdError(body) : foreignAnswer(status, hide(text));
}

/** The `result` of one message of a stream. @throws GatewayError for a message with an `error` instead. */
export function resultOf(message: unknown): Fields {
  return field(unlessError(fields(message, 'message')), 'result');
}

/** An object under a name. */
export function field(object: Fields, name: string): Fields {
  return fields(object[name], name);
}

export function fields(value: unknown, name: string): Fields {
  if (typeof value !== 'object' || value === null) throw unexpectedField(name);
  return value as Fields;
}

/** A list under a name; etcd omits empty ones. */
export function listField(object: Fields, name: string): readonly unknown[] {
  const value = object[name] ?? [];
  if (!Array.isArray(value)) throw unexpectedField(name);
  return value;
}

/** A text of one character or more. */
export function textField(object: Fields, name: string): string {
  const value = object[name];
  if (typeof value !== 'string' || value === '') throw unexpectedField(name);
  return value;
}

/** A 64-bit number: digits in a text, since JSON numbers end at 2^53. etcd omits 0. */
export function int64(object: Fields, name: string): bigint {
  const value = object[name] ?? '0';
  if (typeof value !== 'string' || !/^\d{1,19}$/.test(value)) throw unexpectedField(name);
  return BigInt(value);
}

/** The revision of a response, and the term of its leader. */
export interface StoreState {
  readonly revision: bigint;
  /** Counts the elections of a leader. */
  readonly term: bigint;
}

export function stateOf(answer: Fields): StoreState {
  const header = field(answer, 'header');
  return { revision: int64(header, 'revision'), term: int64(header, 'raft_term') };
}

function unlessError(message: Fields): Fields {
  if (message['error'] === undefined) return message;
  throw etcdError(fields(message['error'], 'error'));
}

function parsedObject(text: string): Fields | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? (value as Fields) : undefined;
  } catch {
    return undefined;
  }
}
