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

function versionOf(name: string): string {
  return (require(`${name}/package.json`) as { version: string }).version;
}

/** Where another version of Node is; `undefined` when it cannot be had. The npm package `node` ships the binaries. */
export async function otherNode(major: number): Promise<string | undefined> {
  try {
    const { stdout } = await promisify(execFile)(
      'npx',
      ['-y', '-p', `node@${String(major)}`, 'node', '-p', 'process.version + "\\n" + process.execPath'],
      { timeout: 90_000 },
    );
    const [version = '', execPath] = stdout.split('\n');
    return version.startsWith(`v${String(major)}.`) ? execPath : undefined;
  } catch {
    return undefined;
  }
}
