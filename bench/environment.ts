import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { arch, availableParallelism, cpus, release, type } from 'node:os';
import { promisify } from 'node:util';

/** What the figures were measured on. Nothing that tells whose machine it is. */
export function environmentText(packages: readonly string[]): string {
  const system = `${type()} ${release().split('.').slice(0, 2).join('.')} ${arch()}`;
  const machine = `${cpus()[0]?.model ?? 'unknown'}, ${String(availableParallelism())} cores, ${system}`;
  return [machine, ...packages.map((name) => `${name} ${versionOf(name)}`)].join(', ');
}

/** Not by its name: some packages do not export their `package.json`. */
function versionOf(name: string): string {
  const folder = name.startsWith('express') ? '../..' : '..';
  const manifest = new URL(`${folder}/node_modules/${name}/package.json`, import.meta.url);
  return (JSON.parse(readFileSync(manifest, 'utf8')) as { version: string }).version;
}

/** A version of Node. */
export interface Node {
  readonly version: string;
  readonly execPath: string;
}

/** Finds versions of Node: each is the path of a binary, or a major version, whose binary the npm package `node` ships. */
export async function findNodes(wanted: readonly string[]): Promise<Node[]> {
  const found: Node[] = [];
  for (const each of wanted) found.push(await findNode(each));
  return found;
}

async function findNode(wanted: string): Promise<Node> {
  const script = 'JSON.stringify({ version: process.versions.node, execPath: process.execPath })';
  const [command = '', ...before] = /^\d+$/.test(wanted) ? ['npx', '-y', '-p', `node@${wanted}`, 'node'] : [wanted];
  const { stdout } = await promisify(execFile)(command, [...before, '-p', script], { timeout: 300_000 });
  return JSON.parse(stdout) as Node;
}
