import { spawnSync } from 'node:child_process';
import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';

/** What the tests against real engines need, and the Debian package that has it. */
const ENGINES = {
  etcd: { packageName: 'etcd-server' },
  etcdctl: { packageName: 'etcd-client' },
  named: { packageName: 'bind9' },
  nsupdate: { packageName: 'bind9-dnsutils' },
  podman: { packageName: 'podman' },
  runc: { packageName: 'runc' },
  // In a folder that is on no PATH.
  systemd: { packageName: 'systemd' },
  dnsmasq: { packageName: 'dnsmasq-base' },
  promtool: { packageName: 'prometheus' },
  prometheus: { packageName: 'prometheus' },
  haproxy: { packageName: 'haproxy' },
  // Being root is not enough either: the kernel must have namespaces of the network.
  ip: { packageName: 'iproute2', probe: ['netns', 'list'] },
  // Being installed is not enough: the rules of the machine's network may be out of reach.
  iptables: { packageName: 'iptables', probe: ['-w', '-n', '-L', 'OUTPUT'] },
} as const satisfies Record<string, { packageName: string; probe?: readonly string[] }>;

export type Engine = keyof typeof ENGINES;

/** Daemons live in sbin, which is not on everybody's PATH. */
const FOLDERS = [
  ...(process.env['PATH'] ?? '').split(delimiter),
  '/usr/local/sbin',
  '/usr/sbin',
  '/sbin',
  '/lib/systemd',
];

/** The file to start, or nothing when this machine has none that works. */
export function findEngine(engine: Engine): string | undefined {
  const file = FOLDERS.map((folder) => join(folder, engine)).find(isExecutable);
  const { probe } = { probe: undefined, ...ENGINES[engine] };
  if (file === undefined || probe === undefined) return file;
  return spawnSync(file, probe, { timeout: 10_000 }).status === 0 ? file : undefined;
}

/** The same for tests that stand in {@link describeWithEngines}. */
export function engineFile(engine: Engine): string {
  const file = findEngine(engine);
  if (file === undefined) throw new Error(missing(engine));
  return file;
}

/**
 * A `describe` for tests that need engines. Where one is missing, the tests are skipped, and the last line of the run says
 * so (left-out-reporter.mjs); with `CI=true` or `ENGINES=required` that is a failure.
 */
export function describeWithEngines(name: string, engines: readonly Engine[], tests: () => void): void {
  const reasons = engines.filter((engine) => findEngine(engine) === undefined).map(missing);
  if (reasons.length === 0) {
    describe(name, tests);
    return;
  }
  const required = process.env['CI'] === 'true' || process.env['ENGINES'] === 'required';
  describe(name, () =>
    (required ? test : test.skip)(reasons.join(' and '), () => {
      throw new Error(reasons.join('\n'));
    }),
  );
}

function missing(engine: Engine): string {
  return `needs ${engine} (Debian: apt-get install ${ENGINES[engine].packageName})`;
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
