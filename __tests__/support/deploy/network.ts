import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { engineFile } from '../etcd/engines.js';

const run = promisify(execFile);
const ip = (...args: readonly string[]): Promise<unknown> => run(engineFile('ip'), args);

/** A machine of a network of the test's own: a network namespace with an address that only the others reach. */
export interface Machine {
  readonly name: string;
  readonly address: string;
  /** What runs a program there: `ip netns exec NAME`. */
  readonly prefix: readonly [string, string, string, string];
  /** Runs a program to its end there, and gives what it printed. */
  exec(program: string, ...args: readonly string[]): Promise<string>;
}

/** Machines on one switch, and the way to remove them all. */
export interface Network {
  readonly machines: readonly Machine[];
  remove(): Promise<void>;
}

/** Two runs side by side on one machine must not meet: the process tells them apart, and each test within it a number. */
let networks = 0;

/** Creates `count` machines that reach each other at 10.77.0.1 and fd77::1, 10.77.0.2 and fd77::2, ..., and nothing else. */
export async function createNetwork(count: number): Promise<Network> {
  networks += 1;
  const id = `${String(process.pid)}-${String(networks)}`;
  const hub = `hub-${id}`;
  const machines = Array.from({ length: count }, (_, index) => machine(`m${String(index + 1)}-${id}`, index + 1));
  const names = [hub, ...machines.map(({ name }) => name)];
  const remove = async (): Promise<void> => {
    for (const name of names) await ip('netns', 'delete', name).catch(() => undefined);
  };
  try {
    for (const name of names) await ip('netns', 'add', name);
    await ip('-n', hub, 'link', 'add', 'switch', 'type', 'bridge');
    await ip('-n', hub, 'link', 'set', 'switch', 'up');
    for (const [index, { name, address }] of machines.entries()) {
      const port = `port${String(index)}`;
      await ip('-n', hub, 'link', 'add', port, 'type', 'veth', 'peer', 'name', 'eth0', 'netns', name);
      await ip('-n', hub, 'link', 'set', port, 'master', 'switch', 'up');
      await ip('-n', name, 'address', 'add', `${address}/24`, 'dev', 'eth0');
      await ip('-n', name, 'address', 'add', `fd77::${String(index + 1)}/64`, 'dev', 'eth0', 'nodad');
      for (const device of ['lo', 'eth0']) await ip('-n', name, 'link', 'set', device, 'up');
    }
  } catch (error) {
    await remove();
    throw error;
  }
  return { machines, remove };
}

function machine(name: string, number: number): Machine {
  const prefix = [engineFile('ip'), 'netns', 'exec', name] as const;
  return {
    name,
    address: `10.77.0.${String(number)}`,
    prefix,
    exec: async (program, ...args) => (await run(prefix[0], [...prefix.slice(1), program, ...args])).stdout,
  };
}
