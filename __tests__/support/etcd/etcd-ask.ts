import { once } from 'node:events';
import { request as plain } from 'node:http';
import { request as tls, type RequestOptions } from 'node:https';

type Answer = Readonly<Record<string, unknown>>;

/** The most steps that etcd takes in one transaction, as it is set up by default. */
const STEPS = 128;

/** A request to etcd's JSON gateway, without any code of `lib`, over a connection of its own. */
export async function askEtcd(
  url: string,
  path: string,
  body: object,
  options: Pick<RequestOptions, 'ca' | 'cert' | 'key' | 'headers'> = {},
): Promise<Answer> {
  const request = (url.startsWith('https:') ? tls : plain)(url + path, {
    method: 'POST',
    agent: false,
    timeout: 20_000,
    ...options,
  });
  request.once('timeout', () => request.destroy(new Error('no answer of etcd')));
  request.end(JSON.stringify(body));
  const [response] = (await once(request, 'response')) as [AsyncIterable<Buffer> & { statusCode: number }];
  const chunks: Buffer[] = [];
  for await (const bytes of response) chunks.push(bytes);
  const text = Buffer.concat(chunks).toString();
  if (response.statusCode !== 200) throw new Error(`${path}: ${text}`);
  return JSON.parse(text) as Answer;
}

export function base64(text: string): string {
  return Buffer.from(text).toString('base64');
}

/** The key and the first one behind all keys that begin with it. */
export function rangeOf(prefix: string): { readonly key: string; readonly range_end: string } {
  return { key: base64(prefix), range_end: base64(prefix.replace(/\/$/, '0')) };
}

/** Puts keys, many in one step. */
export async function putAll(url: string, keys: readonly string[]): Promise<void> {
  for (let start = 0; start < keys.length; start += STEPS) {
    const success = keys.slice(start, start + STEPS).map((key) => ({ request_put: { key: base64(key), value: '' } }));
    await askEtcd(url, '/v3/kv/txn', { success });
  }
}

export async function put(url: string, key: string): Promise<void> {
  await askEtcd(url, '/v3/kv/put', { key: base64(key), value: '' });
}

export async function remove(url: string, key: string): Promise<void> {
  await askEtcd(url, '/v3/kv/deleterange', { key: base64(key) });
}

/** Counts the keys that begin with a prefix, and returns the revision of the store. */
export async function countOf(url: string, prefix: string): Promise<{ count: number; revision: string }> {
  const { count = '0', header } = await askEtcd(url, '/v3/kv/range', { ...rangeOf(prefix), count_only: true });
  return { count: Number(count), revision: (header as { revision: string }).revision };
}
