import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { engineFile } from './engines.js';
import type { EtcdNode } from './etcd.js';

const run = promisify(execFile);

/**
 * Cuts a node off from the others, in both directions and without an error, while clients still reach it. Gives the way
 * back.
 *
 * @param node Runs as a user of its own, by which its packets are known.
 */
export async function cutOff(node: EtcdNode, others: readonly EtcdNode[]): Promise<() => Promise<void>> {
  const own = ['-m', 'owner', '--uid-owner', String(node.uid)];
  const rules = [
    ['--dport', node.peerPort],
    ['--sport', node.peerPort],
    ...others.map(({ peerPort }) => ['--dport', peerPort, ...own]),
  ];
  const apply = async (change: '-I' | '-D'): Promise<void> => {
    for (const rule of rules) {
      await run(engineFile('iptables'), ['-w', change, 'OUTPUT', '-o', 'lo', '-p', 'tcp', ...rule, '-j', 'DROP']);
    }
  };
  await apply('-I');
  return () => apply('-D');
}
