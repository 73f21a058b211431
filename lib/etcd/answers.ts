import { foreignAnswer, type GatewayError, refusal } from './gateway-error.js';

/** An object in an answer, its fields not yet looked at. */
export type Fields = Readonly<Record<string, unknown>>;

/** The object that an answer with status 200 is. @throws GatewayError for a refusal, and for what is not etcd's. */
export function answerOf(text: string): Fields {
  const answer = parsed(text);
  if (answer === undefined) throw foreignAnswer(200, text);
  return unlessError(answer);
}

/** What an answer with another status than 200 says. */
export function refusalOf(status: number, text: string): GatewayError {
  const body = parsed(text);
  return typeof body?.['message'] === 'string' ? refusal(body) : foreignAnswer(status, text);
}

/** One message of a stream: what stands under `result`. @throws GatewayError where `error` stands in its place. */
export function resultOf(message: unknown): Fields {
  return field(unlessError(fields(message, 'a message')), 'result');
}

/** An object under a name. */
export function field(object: Fields, name: string): Fields {
  return fields(object[name], name);
}

export function fields(value: unknown, what: string): Fields {
  if (typeof value !== 'object' || value === null) throw unknownShape(what);
  return value as Fields;
}

/** A list under a name; etcd leaves out what is empty. */
export function list(object: Fields, name: string): readonly unknown[] {
  const value = object[name] ?? [];
  if (!Array.isArray(value)) throw unknownShape(name);
  return value;
}

export function text(object: Fields, name: string): string {
  const value = object[name];
  if (typeof value !== 'string') throw unknownShape(name);
  return value;
}

/** A 64-bit number: a text of digits, as JSON numbers end at 2^53. etcd leaves out 0. */
export function int64(object: Fields, name: string): bigint {
  const value = object[name] ?? '0';
  if (typeof value !== 'string' || !/^\d{1,19}$/.test(value)) throw unknownShape(name);
  return BigInt(value);
}

/** The state of the whole store that an answer was made from. */
export function revisionOf(answer: Fields): bigint {
  return int64(field(answer, 'header'), 'revision');
}

function unlessError(message: Fields): Fields {
  if (message['error'] === undefined) return message;
  throw refusal(fields(message['error'], 'error'));
}

function parsed(text: string): Fields | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? (value as Fields) : undefined;
  } catch {
    return undefined;
  }
}

/** Not with the answer in it: it may be a token. */
function unknownShape(what: string): Error {
  return new Error(`an answer of unknown shape, at "${what}"`);
}
