import { execFile, type ChildProcess } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { engineFile } from '../etcd/engines.js';
import { end, start, untilReady } from '../process/child.js';
import { freePort } from '../process/free-port.js';

/** BIND on loopback, with the zone `example.org` and a zone `broken.example` that it cannot load. */
export interface Named {
  readonly address: string;
  /** Changes the zone at once, by lines for nsupdate such as `update add www.example.org. 60 A 127.0.0.1`. */
  update(...lines: readonly string[]): Promise<void>;
  /** SIGSTOP: the sockets stay, nobody answers. */
  freeze(): void;
  thaw(): void;
  /** SIGKILL. */
  kill(): Promise<void>;
  /** After {@link kill}, on the same port and with the zone as it was. */
  restart(): Promise<void>;
  close(): Promise<void>;
}

const MAX_TRIES = 10;

/** @param records Lines of the zone file. */
export async function startNamed(records: readonly string[]): Promise<Named> {
  const folder = await mkdtemp(join(tmpdir(), 'named-'));
  await writeFile(join(folder, 'zone'), [...HEAD_OF_ZONE, ...records, ''].join('\n'));
  const [first, port] = await startOnFreePort(folder);
  let child = first;

  const kill = (): Promise<void> => end(child);
  return {
    address: `127.0.0.1:${String(port)}`,
    update: async (...lines) => {
      const commands = [`server 127.0.0.1 ${String(port)}`, 'zone example.org', ...lines, 'send', ''].join('\n');
      const updating = promisify(execFile)(engineFile('nsupdate'), ['-t', '20'], { timeout: 25_000 });
      updating.child.stdin?.end(commands);
      await updating;
    },
    freeze: () => child.kill('SIGSTOP'),
    thaw: () => child.kill('SIGCONT'),
    kill,
    restart: async () => {
      child = await startIn(folder);
    },
    close: async () => {
      await kill();
      await rm(folder, { recursive: true });
    },
  };
}

const HEAD_OF_ZONE = [
  '$TTL 60',
  '$ORIGIN example.org.',
  '@ SOA ns.example.org. host.example.org. 1 60 60 600 60',
  '@ NS ns.example.org.',
  'ns A 127.0.0.1',
];

/** By default BIND refuses more than 100 records of a name and type; versions that do not know the option have no such limit. */
const UNLIMITED = 'max-records-per-type 0;';

async function startOnFreePort(folder: string): Promise<[ChildProcess, number]> {
  let more = UNLIMITED;
  let failure: unknown;
  for (let attempt = 0; attempt < MAX_TRIES; attempt += 1) {
    const port = await freePort();
    await writeFile(join(folder, 'named.conf'), configuration(folder, port, more));
    try {
      return [await startIn(folder), port];
    } catch (error) {
      failure = error;
      if (String(error).includes("unknown option 'max-records-per-type'")) more = '';
    }
  }
  throw failure;
}

function configuration(folder: string, port: number, more: string): string {
  return `
options {
  directory "${folder}"; pid-file none; session-keyfile none; ${more}
  listen-on port ${String(port)} { 127.0.0.1; }; listen-on-v6 { none; };
  recursion no; dnssec-validation no; notify no;
};
controls { };
zone "example.org" { type primary; file "zone"; allow-update { 127.0.0.1; }; };
zone "broken.example" { type primary; file "missing"; };
`;
}

/** Starts it in the foreground, never as a service, and waits until it answers. */
async function startIn(folder: string): Promise<ChildProcess> {
  const named = start(engineFile('named'), ['-g', '-n', '1', '-c', join(folder, 'named.conf')]);
  await untilReady(named, () => {
    if (/not listening|address in use/.test(named.stderr())) named.child.kill('SIGKILL');
    return / running$/m.test(named.stderr());
  });
  return named.child;
}
