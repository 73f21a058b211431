import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { arch, availableParallelism, cpus, release, type } from 'node:os';
import { promisify } from 'node:util';

/** The packages whose versions matter. */
const MEASURED = [
  'express',
  'express4',
  'fastify',
  'hono',
  '@hono/node-server',
  'koa',
  'polka',
  'h3',
  'router',
  'connect',
  'autocannon',
];

/** What the figures were measured on. Nothing that tells whose machine it is. */
export function environment(): Record<string, string> {
  return {
    processor: cpus()[0]?.model ?? 'unknown',
    cores: String(availableParallelism()),
    system: `${type()} ${release().split('.').slice(0, 2).join('.')} ${arch()}`,
    node: process.versions.node,
    ...Object.fromEntries(MEASURED.map((name) => [name, versionOf(name)])),
  };
}

export function environmentText(versions: Readonly<Record<string, string>>): string {
  return Object.entries(versions)
    .map((entry) => entry.join(' '))
    .join(', ');
}

/** Not by its name: some packages do not export their `package.json`. */
function versionOf(name: string): string {
  const manifest = new URL(`../../node_modules/${name}/package.json`, import.meta.url);
  return (JSON.parse(readFileSync(manifest, 'utf8')) as { version: string }).version;
}

/** A version of Node other than the one that runs the bench. */
export interface OtherNode {
  readonly version: string;
  readonly execPath: string;
}

/** Finds other versions of Node: each is the path of a binary, or a major version, whose binary the npm package `node` ships. */
export async function findNodes(wanted: readonly string[]): Promise<{ found: OtherNode[]; leftOut: string[] }> {
  const found: OtherNode[] = [];
  const leftOut: string[] = [];
  for (const each of wanted) {
    const node = await findNode(each);
    if (node === undefined) leftOut.push(`Left out: Node ${each}, which could not be had.`);
    else found.push(node);
  }
  for (const line of leftOut) console.log(line);
  return { found, leftOut };
}

async function findNode(wanted: string): Promise<OtherNode | undefined> {
  const script = 'JSON.stringify({ version: process.versions.node, execPath: process.execPath })';
  const isMajor = /^\d+$/.test(wanted);
  const [command, ...before] = isMajor ? ['npx', '-y', '-p', `node@${wanted}`, 'node'] : [wanted];
  try {
    const { stdout } = await promisify(execFile)(command, [...before, '-p', script], { timeout: 90_000 });
    const found = JSON.parse(stdout) as OtherNode;
    return isMajor && !found.version.startsWith(`${wanted}.`) ? undefined : found;
  } catch {
    return undefined;
  }
}
