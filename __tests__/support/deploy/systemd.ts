import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { PACKAGE_FOLDER, removeFolder, temporaryFolder } from '../package/package-folder.js';
import { end, start, untilReady } from '../process/child.js';
import { deployFile } from './deploy-files.js';

const run = promisify(execFile);
const UNIT = 'express-endpoint-listing.service';

/** systemd itself, in namespaces of its own, with the unit of `deploy/` and no other. */
export interface Systemd {
  /** Runs a program there to its end, in a network of its own; gives what it printed. */
  exec(program: string, ...args: readonly string[]): Promise<string>;
  /** One property of the unit, as `systemctl show` prints it. */
  property(name: string): Promise<string>;
  /** Everything that the unit has printed. */
  log(): Promise<string>;
  stop(): Promise<void>;
}

/** What the unit finds there. */
export interface Surroundings {
  /** The binary of Node that the unit starts. */
  readonly node: string;
  /** Where npm has installed the package. */
  readonly packageFolder: string;
  /** Files below /etc. */
  readonly etc: Readonly<Record<string, string>>;
  /** Lines that stand behind those of the unit's section `[Service]`. */
  readonly dropIn?: string;
}

/** Boots systemd, which starts the unit. */
export async function startSystemd({ node, packageFolder, etc, dropIn = '' }: Surroundings): Promise<Systemd> {
  const folder = await temporaryFolder();
  const output = 'StandardOutput=append:/run/unit.log\nStandardError=append:/run/unit.log\n';
  await writeFiles(folder, {
    [`units/${UNIT}`]: deployFile(UNIT).replace('/usr/bin/node', '/opt/node'),
    [`units/${UNIT}.d/test.conf`]: `[Unit]\nDefaultDependencies=no\n[Service]\n${output}${dropIn}\n`,
    'units/under-test.target': `[Unit]\nDefaultDependencies=no\nWants=${UNIT}\n`,
    ...Object.fromEntries(Object.entries(etc).map(([name, text]) => [`etc/${name}`, text])),
  });
  const namespaces = ['--pid', '--mount', '--net', '--uts', '--ipc', '--cgroup', '--fork', '--mount-proc'];
  const script = join(PACKAGE_FOLDER, '__tests__/support/deploy/boot-systemd.sh');
  const booted = start('unshare', [...namespaces, '--kill-child', 'bash', script, folder, node, packageFolder]);
  const { child } = booted;
  await once(child, 'spawn');
  const children = `/proc/${String(child.pid)}/task/${String(child.pid)}/children`;
  const exec = async (program: string, ...args: readonly string[]): Promise<string> => {
    const target = (await readFile(children, 'utf8')).trim();
    if (target === '') throw new Error(`systemd has not begun: ${booted.stderr()}`);
    return (await run('nsenter', ['-t', target, '-m', '-p', '-n', program, ...args])).stdout;
  };
  const stop = async (): Promise<void> => {
    await end(child);
    await removeFolder(folder);
  };
  try {
    const isActive = (): Promise<string> => exec('systemctl', 'is-active', 'under-test.target').catch(() => '');
    await untilReady(booted, async () => (await isActive()).trim() === 'active');
  } catch (error) {
    await stop();
    throw error;
  }
  return {
    exec,
    property: async (name) => (await exec('systemctl', 'show', '--value', '-p', name, UNIT)).trim(),
    log: () => exec('cat', '/run/unit.log').catch(() => ''),
    stop,
  };
}

async function writeFiles(folder: string, files: Readonly<Record<string, string>>): Promise<void> {
  for (const [name, text] of Object.entries(files)) {
    await mkdir(dirname(join(folder, name)), { recursive: true });
    await writeFile(join(folder, name), text);
  }
}
