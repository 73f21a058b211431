// `npm run hostile -- chaos --seconds 600 [--seed N]`: the chaos test for as long as one likes. It runs through jest, which compiles it.
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

const { values } = parseArgs({ options: { seconds: { type: 'string', default: '60' }, seed: { type: 'string' } } });
for (const [name, value] of Object.entries(values)) {
  if (!/^\d{1,9}$/.test(value)) throw new Error(`--${name} is ${JSON.stringify(value)}; allowed: a whole number`);
}

const jest = fileURLToPath(new URL('../../../node_modules/jest/bin/jest.js', import.meta.url));
const { status } = spawnSync(
  process.execPath,
  [jest, '--config', 'jest.all.config.mjs', '--selectProjects', 'engines', '--testPathPatterns', 'engines/chaos'],
  {
    stdio: 'inherit',
    env: {
      ...process.env,
      ENGINES: 'required',
      CHAOS_SECONDS: values.seconds,
      ...(values.seed !== undefined && { CHAOS_SEED: values.seed }),
    },
  },
);
process.exitCode = status ?? 1;
