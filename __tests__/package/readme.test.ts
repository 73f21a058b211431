import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { PACKAGE_FOLDER } from '../support/package-folder.js';
import { checkReadme } from '../support/readme/check-readme.js';

const EXAMPLES = '__tests__/example/examples.test.ts';

/** Every command of a README, and what runs it. */
const COMMANDS = {
  'npm ci && npm start': '__tests__/server/cli',
  'npm ci && npm test': '.ci/run',
  'npm install express-endpoint-listing express': '__tests__/package/consumers.test.ts',
  'npm run example -- single-server': EXAMPLES,
  'npm run example -- gateway': EXAMPLES,
  'npm run example -- coordinator': EXAMPLES,
  'npm run example -- test-double': EXAMPLES,
  'npm run example -- with-authentication': EXAMPLES,
  'npm run example -- plain-http': EXAMPLES,
  'curl http://127.0.0.1:8529/_api/endpoint': EXAMPLES,
  'curl http://127.0.0.1:8530/_api/endpoint': EXAMPLES,
  'curl http://127.0.0.1:8529/_api/cluster/endpoints': EXAMPLES,
  'npm run cluster': '__tests__/engines',
  "curl -H 'X-Forwarded-For: 10.1.2.3' http://127.0.0.1:8529/_api/cluster/endpoints": EXAMPLES,
  [`curl -X PUT -H 'Content-Type: application/json' -d '{"trouble":"outage"}' http://127.0.0.1:8529/control`]: EXAMPLES,
  'curl -u root:openSesame http://127.0.0.1:8529/_api/cluster/endpoints': EXAMPLES,
};

/** Every line that a README shows as output, and what looks for it. */
const OUTPUT = {};

jest.setTimeout(180_000);

describe('Every code block is run or compiled, or known to be run elsewhere:', () => {
  it.each(['README.md', 'example/README.md'])('%s', async (file) => {
    const known = { commands: Object.keys(COMMANDS), output: Object.keys(OUTPUT) };
    await expect(checkReadme(join(PACKAGE_FOLDER, file), known)).resolves.toEqual([]);
  });

  it.each([...Object.entries<string>(COMMANDS), ...Object.entries<string>(OUTPUT)])('%s: %s', (_, test) => {
    expect(existsSync(join(PACKAGE_FOLDER, test))).toBe(true);
  });
});
