// `npm run hostile -- chaos --seconds 600 [--seed N]`: the chaos test of Coordinators that register in etcd for as long as one likes; with
// `--gateway` that of a gateway. They run through jest, which compiles them.
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

const {
  values: { gateway, ...numbers },
} = parseArgs({
  options: {
    seconds: { type: 'string', default: '60' },
    seed: { type: 'string' },
    gateway: { type: 'boolean', default: false },
  },
});
for (const [name, value] of Object.entries(numbers)) {
  if (!/^\d{1,9}$/.test(value)) throw new Error(`--${name} is ${JSON.stringify(value)}; allowed: a whole number`);
}

const jest = fileURLToPath(new URL('../../../node_modules/jest/bin/jest.js', import.meta.url));
const [project, test] = gateway ? ['node', 'gateway/chaos'] : ['engines', 'engines/chaos'];
const { status } = spawnSync(
  process.execPath,
  [jest, '--config', 'jest.all.config.mjs', '--selectProjects', project, '--testPathPatterns', test],
  {
    stdio: 'inherit',
    env: {
      ...process.env,
      ENGINES: 'required',
      CHAOS_SECONDS: numbers.seconds,
      ...(numbers.seed !== undefined && { CHAOS_SEED: numbers.seed }),
    },
  },
);
process.exitCode = status ?? 1;
