import { once } from 'node:events';
import { connect, createServer } from 'node:net';
import { pipeline } from 'node:stream';
import { DRIVERS, KINDS } from '../../../lib/drivers/rules.js';
import { startTestCluster, type TestCluster } from '../../../lib/testing/index.js';
import { tell } from './answers.js';
import { probeArangojs, type Seen } from './probe-arangojs.js';

/** A cluster whose first coordinator gives an answer of a kind. */
interface Told {
  readonly kind: string;
  readonly cluster: TestCluster;
}

/** What busy machines take is far less. */
const LIMIT_MS = 20_000;
/** No arangojs skips an entry, so it never has none left. */
const KNOWN = KINDS.filter(({ kind }) => kind !== 'none-left');

/** Lets an arangojs meet an answer of each kind, and expects what the rules say of its versions. */
export async function expectColumnOfArangojs(first: string, driver: string, socketFile: string): Promise<void> {
  const column = DRIVERS.findIndex((known) => known.driver === 'arangojs' && known.versions[0] === first);
  const told = await Promise.all(
    KNOWN.map(async ({ kind }): Promise<Told> => {
      // At every address: a list has them as IPv4 and as IPv6. Drivers that keep a path ask below it.
      const cluster = await startTestCluster({
        host: '::',
        advertisedHost: '127.0.0.1',
        routes: (router) => router.use('/base', (_req, res) => res.json({ server: 'arango', version: '3.12.0' })),
      });
      tell(cluster, kind, { socketFile });
      return { kind, cluster };
    }),
  );
  // A coordinator of such a cluster has no socket file.
  const door = createServer((socket) => {
    pipeline(socket, connect(Number(new URL(String(told[0]?.cluster.urls[1])).port)), socket, () => undefined);
  }).listen(socketFile);
  await once(door, 'listening');
  try {
    const jobs = told.map(({ cluster }) => ({ url: String(cluster.urls[0]), limitMs: LIMIT_MS, inTurn: true }));
    const seen = await probeArangojs(driver, jobs);
    expect(told.map((each, index) => [each.kind, seen[index] && letterFor(each, seen[index])])).toEqual(
      KNOWN.map(({ kind, outcomes }) => [kind, onOlderNode(kind, first) ?? outcomes[column]]),
    );
  } finally {
    door.close();
    await Promise.all(told.map(({ cluster }) => cluster.close()));
  }
}

/** On a Node before 26, `url.parse` accepts this, and takes `::1` for a part of the path. */
function onOlderNode(kind: string, first: string): string | undefined {
  const isOlder = Number(first.split('.')[0]) < 9 && Number(process.versions.node.split('.')[0]) < 26;
  return kind === 'ipv6-bare' && isOlder ? 'x' : undefined;
}

function letterFor(told: Told, seen: Seen): string {
  const { call, first } = seen;
  const isFailing = first.some((outcome) => outcome !== 'ok');
  if (call.startsWith('its process ends')) return 'c';
  if (call !== 'ok') return isFailing ? 'p' : 'f';
  if (told.kind === 'left') return leftLetter(told, seen);
  if (isMisread(told, seen)) return 'm';
  // No resolver has to know a name with a dot at its end.
  if (isFailing && told.kind !== 'final-dot' && told.kind !== 'mixed-tls') return 'x';
  return takenLetter(told, seen);
}

const isAsked = ({ cluster }: Told, coordinator: number): boolean =>
  cluster.coordinators[coordinator]?.requests.length !== 0;

function takenLetter(told: Told, { hosts }: Seen): string {
  const { kind, cluster } = told;
  const has = (part: string): boolean => hosts.some((host) => host.includes(part));
  const portOf = (index: number): string => String(cluster.endpoints[index]).replace(/.*:/, ':');
  if (kind === 'redirect' || kind === '503-leader') return isAsked(told, 1) ? 'g' : '?';
  if (kind === 'wildcard') return isAsked(told, 1) && has('0.0.0.0') ? 'l' : '?';
  if (has(portOf(2)) && !isAsked(told, 2)) return 's';
  if (kind === 'empty') return hosts.length === 1 ? 'k' : '?';
  if (kind === 'one') return hosts.length === 1 ? 'u' : '?';
  if (kind === 'unix') return has('unix:') ? 'u' : '?';
  return has(portOf(1)) || has('localhost.') ? 'u' : '?';
}

function leftLetter({ cluster }: Told, { hostsAgain, second }: Seen): string {
  if (hostsAgain.some((host) => host.includes(String(cluster.endpoints[1]?.slice('tcp://'.length))))) return 'y';
  return second[0] !== 'ok' && second.slice(1).every((outcome) => outcome === 'ok') ? 't' : '?';
}

function isMisread(told: Told, { hosts }: Seen): boolean {
  const asked = told.cluster.coordinators[1]?.requests ?? [];
  switch (told.kind) {
    case 'no-port':
      return hosts.some((host) => new URL(host).host === '127.0.0.1');
    case 'upper-case-ssl':
    case 'no-host':
      return asked.length > 0;
    case 'user-info':
      return asked.some(({ headers }) => headers.authorization === `Basic ${Buffer.from('u:p').toString('base64')}`);
    case 'path':
      return asked.length > 0 && !asked.some(({ url }) => url.startsWith('/base/'));
    default:
      return false;
  }
}
