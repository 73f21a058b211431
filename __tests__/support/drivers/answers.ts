import type { AnswerTrouble, TestCluster, Trouble } from '../../../lib/testing/index.js';

const JSON_TYPE = { 'Content-Type': 'application/json; charset=utf-8' };
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
  'mixed-tls': (other) => `ssl://${other}`,
};

/** The kinds that are the true answer, delivered or shaped otherwise. */
const ALTERED: Readonly<Record<string, Trouble>> = {
  redirect: { kind: 'redirect' },
  deflate: { kind: 'gzip', coding: 'deflate' },
  gzip: { kind: 'gzip' },
  'not-json': { kind: 'not-json' },
  'no-endpoints': { kind: 'shape', shape: 'no-endpoints' },
  entrypoint: { kind: 'shape', shape: 'entrypoint' },
  internal: { kind: 'shape', shape: 'internal' },
};

/** Which listing it is, and where the socket file is that it may name. */
interface ToldOptions {
  readonly listing?: 'cluster' | 'server';
  readonly socketFile?: string;
}

/** Tells the first of three coordinators to give an answer of a kind; of `left` the first of two, the second is the true one. */
export function tell(cluster: TestCluster, kind: string, options: ToldOptions = {}): void {
  cluster.setList(cluster.endpoints.slice(0, kind in ALTERED ? 2 : 1));
  cluster.trouble({ ...(ALTERED[kind] ?? ownAnswer(kind, cluster.endpoints, options)), coordinator: 0 });
}

function ownAnswer(
  kind: string,
  [own = '', other = '', third = '']: readonly string[],
  { listing = 'cluster', socketFile = '/run/db.sock' }: ToldOptions,
): Trouble {
  const list = (...endpoints: readonly unknown[]): AnswerTrouble => {
    const entries = endpoints.map((endpoint) => ({ endpoint }));
    const body = listing === 'server' ? entries : { error: false, code: 200, endpoints: entries };
    return { kind: 'answer', body: JSON.stringify(body) };
  };
  const address = other.replace('tcp://', '');
  const entry = ENTRIES[kind];
  if (entry !== undefined) return list(own, entry(address, socketFile));
  const good = list(own, other);
  const [status, errorNum] = kind.split('/').map(Number);
  const answers: Readonly<Record<string, Trouble>> = {
    null: list(own, null, other),
    duplicate: list(own, other, other, third),
    left: { ...list(own, other, other, third), times: 1 },
    empty: list(),
    one: list(own),
    204: { kind: 'answer', status: 204, headers: {} },
    '503-leader': {
      kind: 'answer',
      status: 503,
      headers: { ...JSON_TYPE, 'X-Arango-Endpoint': `http://${address}` },
      body: JSON.stringify({ error: true, code: 503, errorNum: 1478, errorMessage: 'no leader' }),
    },
    chunked: { ...good, headers: { ...JSON_TYPE, 'Transfer-Encoding': 'chunked' } },
    bom: { ...good, body: `\ufeff${String(good.body)}` },
    'text/plain': { ...good, headers: { 'Content-Type': 'text/plain' } },
  };
  return answers[kind] ?? { kind: 'status', status: Number(status), errorNum: errorNum ?? Number(status) };
}
