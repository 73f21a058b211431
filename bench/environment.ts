import { execFile } from 'node:child_process';
import { createRequire } from 'node:module';
import { arch, availableParallelism, cpus, release, type } from 'node:os';
import { promisify } from 'node:util';

const require = createRequire(import.meta.url);

/** What the figures were measured on. Nothing that tells whose machine it is. */
export function environment(): Record<string, string> {
  return {
    processor: cpus()[0]?.model ?? 'unknown',
    cores: String(availableParallelism()),
    system: `${type()} ${release().split('.').slice(0, 2).join('.')} ${arch()}`,
    node: process.versions.node,
    ...Object.fromEntries(['express', 'express4', 'fastify', 'autocannon'].map((name) => [name, versionOf(name)])),
  };
}

export function environmentText(versions: Readonly<Record<string, string>>): string {
  return Object.entries(versions)
    .map((entry) => entry.join(' '))
    .join(', ');
}

function versionOf(name: string): string {
  return (require(`${name}/package.json`) as { version: string }).version;
}

/** A version of Node other than the one that runs the bench. */
export interface OtherNode {
  readonly version: string;
  readonly execPath: string;
}

/** Finds the newest Node of a major version; `undefined` when it cannot be had. The npm package `node` ships the binaries. */
export async function otherNode(major: number): Promise<OtherNode | undefined> {
  const script = 'JSON.stringify({ version: process.versions.node, execPath: process.execPath })';
  const command = ['-y', '-p', `node@${String(major)}`, 'node', '-p', script];
  try {
    const { stdout } = await promisify(execFile)('npx', command, { timeout: 90_000 });
    const found = JSON.parse(stdout) as OtherNode;
    return found.version.startsWith(`${String(major)}.`) ? found : undefined;
  } catch {
    return undefined;
  }
}
