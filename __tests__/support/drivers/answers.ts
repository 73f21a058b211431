import { deflateSync, gzipSync } from 'node:zlib';
import type { ServerResponse } from 'node:http';

/** Where the three servers of a test are: `127.0.0.1:40123`. The first is asked. */
export type Addresses = readonly [own: string, other: string, third: string];

export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Buffer;
}

const JSON_TYPE = { 'content-type': 'application/json; charset=utf-8' };
const listOf = (listing: 'cluster' | 'server', entries: readonly unknown[]): Answer => {
  const endpoints = entries.map((entry) => (typeof entry === 'string' ? { endpoint: entry } : entry));
  const body = listing === 'server' ? endpoints : { error: false, code: 200, endpoints };
  return { status: 200, headers: JSON_TYPE, body: JSON.stringify(body) };
};
const refusal = (status: number, errorNum: number, headers = {}): Answer => ({
  status,
  headers: { ...JSON_TYPE, ...headers },
  body: JSON.stringify({ error: true, code: status, errorNum, errorMessage: 'as told' }),
});
const portOf = (address: string): string => address.replace(/.*:/, '');

/** The second entry of a list, by its kind. */
const ENTRIES: Readonly<Record<string, (other: string, socketFile: string) => string>> = {
  'no-port': () => 'tcp://127.0.0.1',
  'trailing-slash': (other) => `tcp://${other}/`,
  'upper-case': (other) => `TCP://${other}`,
  'upper-case-ssl': (other) => `SSL://${other}`,
  http: (other) => `http://${other}`,
  'http+tcp': (other) => `http+tcp://${other}`,
  unix: (_other, socketFile) => `unix://${socketFile}`,
  'ipv6-two-colons': (other) => `tcp://[::1]:${portOf(other)}`,
  'ipv6-longer': (other) => `tcp://[0:0:0:0:0:0:0:1]:${portOf(other)}`,
  'ipv6-bare': (other) => `tcp://::1:${portOf(other)}`,
  zone: (other) => `tcp://[fe80::1%lo]:${portOf(other)}`,
  wildcard: (other) => `tcp://0.0.0.0:${portOf(other)}`,
  'final-dot': (other) => `tcp://localhost.:${portOf(other)}`,
  'user-info': (other) => `tcp://u:p@${other}`,
  query: (other) => `tcp://${other}?a=1`,
  path: (other) => `tcp://${other}/base`,
  'no-scheme': (other) => other,
  blanks: (other) => ` tcp://${other} `,
  'no-host': (other) => `tcp://:${portOf(other)}`,
  'high-port': () => 'tcp://127.0.0.1:70000',
  'empty-text': () => '',
};

/** Which listing it is, and where the socket file is that it may name. */
interface AnswerOptions {
  readonly listing?: 'cluster' | 'server';
  readonly socketFile?: string;
}

/** An answer of a kind; of `left` the second one. */
export function answerOf(
  kind: string,
  [own, other, third]: Addresses,
  { listing = 'cluster', socketFile = '/run/db.sock' }: AnswerOptions = {},
): Answer {
  const list = (...entries: readonly unknown[]): Answer => listOf(listing, entries);
  const good = list(`tcp://${own}`, `tcp://${other}`);
  const entry = ENTRIES[kind];
  if (entry !== undefined) return list(`tcp://${own}`, entry(other, socketFile));
  const answers: Readonly<Record<string, () => Answer>> = {
    null: () => list(`tcp://${own}`, { endpoint: null }, `tcp://${other}`),
    entrypoint: () => list({ entrypoint: `tcp://${own}` }, { entrypoint: `tcp://${other}` }),
    internal: () => list({ endpoint: `tcp://${own}`, internal: `tcp://${third}` }, `tcp://${other}`),
    duplicate: () => list(`tcp://${own}`, `tcp://${other}`, `tcp://${other}`, `tcp://${third}`),
    'mixed-tls': () => list(`tcp://${own}`, `ssl://${other}`),
    empty: () => list(),
    one: () => list(`tcp://${own}`),
    left: () => list(`tcp://${own}`),
    'none-left': () => list('tcp://[fd00::1:2]:8529'),
    500: () => refusal(500, 4),
    '503-leader': () => refusal(503, 1478, { 'x-arango-endpoint': `http://${other}` }),
    404: () => refusal(404, 404),
    204: () => ({ status: 204, headers: {}, body: '' }),
    redirect: () => ({ status: 302, headers: { location: `http://${other}/_api/cluster/endpoints` }, body: '' }),
    chunked: () => ({ ...good, headers: { ...JSON_TYPE, 'transfer-encoding': 'chunked' } }),
    bom: () => ({ ...good, body: `\ufeff${String(good.body)}` }),
    deflate: () => ({
      ...good,
      headers: { ...JSON_TYPE, 'content-encoding': 'deflate' },
      body: deflateSync(good.body),
    }),
    gzip: () => ({ ...good, headers: { ...JSON_TYPE, 'content-encoding': 'gzip' }, body: gzipSync(good.body) }),
    'text/plain': () => ({ ...good, headers: { 'content-type': 'text/plain' } }),
    'not-json': () => ({ ...good, body: 'this is not JSON' }),
    'no-endpoints': () => ({ ...good, body: '{"error":false,"code":200}' }),
  };
  const [status = '', errorNum = ''] = kind.split('/');
  return answers[kind]?.() ?? refusal(Number(status), Number(errorNum));
}

export function send({ status, headers, body }: Answer, res: ServerResponse): void {
  const length = status === 204 || 'transfer-encoding' in headers ? {} : { 'content-length': Buffer.byteLength(body) };
  res.writeHead(status, { ...headers, ...length }).end(body);
}
