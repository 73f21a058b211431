import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { answerOf, send, type Addresses } from './answers.js';

/** What the probe prints for one server. */
interface Seen {
  readonly call: string;
  readonly hosts: readonly string[];
  readonly first: readonly string[];
  readonly hostsAgain: readonly string[];
  readonly second: readonly string[];
}

/** Three servers, of which the first gives an answer of a kind. */
interface Trio {
  readonly kind: string;
  readonly addresses: Addresses;
  /** What the second and the third were asked: path and login. */
  readonly asked: readonly [other: string[], third: string[]];
  readonly close: () => void;
}

const VERSION = JSON.stringify({ server: 'arango', license: 'community', version: '3.12.0' });
const PROBE = join(__dirname, 'arangojs-probe.mjs');

async function listening(
  answer: (req: IncomingMessage, res: ServerResponse) => void,
  where: { host: string; port: 0 } | { path: string },
): Promise<Server> {
  const server = createServer((req, res) => {
    if (String(req.url).includes('cluster/endpoints')) answer(req, res);
    else send({ status: 200, headers: { 'content-type': 'application/json' }, body: VERSION }, res);
  });
  server.listen(where);
  await once(server, 'listening');
  return server;
}

async function trioFor(kind: string, socketFile: string): Promise<Trio> {
  const asked: Trio['asked'] = [[], []];
  const good = (_req: IncomingMessage, res: ServerResponse): void => {
    send(answerOf('one', addresses), res);
  };
  let lists = 0;
  const own = await listening(
    (_req, res) => {
      lists += 1;
      send(
        kind === 'left' && lists === 1 ? answerOf('duplicate', addresses) : answerOf(kind, addresses, { socketFile }),
        res,
      );
    },
    { host: '127.0.0.1', port: 0 },
  );
  // Of every address, for a list has them as IPv4 and as IPv6.
  const others = [
    await listening(good, { host: '::', port: 0 }),
    await listening(good, { host: '::', port: 0 }),
  ] as const;
  for (const [index, server] of others.entries()) {
    server.on('request', ({ url, headers }: IncomingMessage) => {
      asked[index]?.push(`${String(url)} ${String(headers.authorization)}`);
    });
  }
  const addresses = [own, ...others].map(
    (server) => `127.0.0.1:${String((server.address() as AddressInfo).port)}`,
  ) as unknown as Addresses;
  const close = (): void => {
    for (const server of [own, ...others]) server.close().closeAllConnections();
  };
  return { kind, addresses, asked, close };
}

/**
 * What an arangojs makes of answers of some kinds, as letters of the rules.
 *
 * @param driver - The path of the driver, or its name.
 */
export async function observeArangojs(driver: string, kinds: readonly string[], socketFile: string): Promise<string[]> {
  const onSocketFile = await listening(
    (_req, res) => {
      send(answerOf('500', ['', '', '']), res);
    },
    { path: socketFile },
  );
  const trios = await Promise.all(kinds.map((kind) => trioFor(kind, socketFile)));
  try {
    const urls = trios.map(({ addresses: [own] }) => `http://${own}`);
    const { stdout } = await promisify(execFile)(process.execPath, [PROBE, driver, ...urls]);
    const lines = stdout.trim().split('\n');
    return trios.map((trio, index) => letterFor(trio, JSON.parse(String(lines[index])) as Seen));
  } finally {
    onSocketFile.close();
    for (const { close } of trios) close();
  }
}

function letterFor(trio: Trio, seen: Seen): string {
  const { call, first } = seen;
  const isFailing = first.some((outcome) => outcome !== 'ok');
  if (call === 'died') return 'c';
  if (call !== 'ok') return isFailing ? 'p' : 'f';
  if (trio.kind === 'left') return leftLetter(trio, seen);
  if (isMisread(trio, seen)) return 'm';
  // No resolver has to know a name with a dot at its end.
  if (isFailing && trio.kind !== 'final-dot' && trio.kind !== 'mixed-tls') return 'x';
  return takenLetter(trio, seen);
}

function takenLetter({ kind, addresses: [, other, third], asked: [ofOther, ofThird] }: Trio, { hosts }: Seen): string {
  if (kind === 'redirect' || kind === '503-leader') return ofOther.length > 0 ? 'g' : '?';
  if (kind === 'wildcard') return ofOther.length > 0 && hosts.some((host) => host.includes('0.0.0.0')) ? 'l' : '?';
  if (hosts.some((host) => host.includes(third)) && ofThird.length === 0) return 's';
  if (kind === 'empty') return hosts.length === 1 ? 'k' : '?';
  if (kind === 'one') return hosts.length === 1 ? 'u' : '?';
  if (kind === 'unix') return hosts.some((host) => host.includes('unix:')) ? 'u' : '?';
  const port = other.replace(/.*:/, ':');
  return hosts.some((host) => host.includes(port) || host.includes('localhost.')) ? 'u' : '?';
}

function leftLetter({ addresses: [, other] }: Trio, { hostsAgain, second }: Seen): string {
  if (hostsAgain.length === 0 || hostsAgain.some((host) => host.includes(other))) return 'y';
  return second[0] !== 'ok' && second.slice(1).every((outcome) => outcome === 'ok') ? 't' : '?';
}

function isMisread({ kind, asked: [ofOther] }: Trio, { hosts }: Seen): boolean {
  switch (kind) {
    case 'no-port':
      return hosts.some((host) => new URL(host).host === '127.0.0.1');
    case 'upper-case-ssl':
      return ofOther.length > 0;
    case 'no-host':
      return ofOther.length > 0;
    case 'user-info':
      return ofOther.some((asked) => asked.endsWith(`Basic ${Buffer.from('u:p').toString('base64')}`));
    case 'path':
      return ofOther.length > 0 && !ofOther.some((asked) => asked.startsWith('/base/'));
    default:
      return false;
  }
}
