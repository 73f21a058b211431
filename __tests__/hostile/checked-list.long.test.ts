import { join } from 'node:path';
import { compiledFolder } from '../support/package/built-package.js';
import { runScript } from '../support/package/script.js';

it('npm run hostile -- checked-list measures a list beside health checks, every answer of which is right', async () => {
  const folder = await compiledFolder('hostile');
  const args = ['checked-list', '--endpoints', '20', '--pairs', '1', '--seconds', '1'];
  const printed = await runScript(join(folder, 'run.js'), args);
  expect(printed).toMatch(
    /^ok {4} a list beside the checks of 20 endpoints: \{"requestsPerSecond":\{"resting":\d.*,"checking":\d/m,
  );
}, 300_000);
