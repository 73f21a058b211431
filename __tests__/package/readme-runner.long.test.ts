import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { removeFolder, temporaryFolder } from '../support/package/package-folder.js';
import { checkReadme } from '../support/readme/check-readme.js';

const HOST = `import express from 'express';
import { createEndpointRouter } from 'express-endpoint-listing';

const app = express();
app.use(createEndpointRouter({ endpoints: ['tcp://127.0.0.1'] }));
app.listen(8529);
`;
const COMMONJS_HOST = `const express = require('express');
const { createEndpointRouter } = require('express-endpoint-listing');

express().use(createEndpointRouter({ endpoints: ['tcp://h'] })).listen(8529, '0.0.0.0');
`;
const KNOWN = { commands: ['npm ci && npm start', 'npm test'], output: ['listening'] };

const fenced = (...blocks: readonly [mark: string, text: string][]): string =>
  blocks.map(([mark, text]) => `Text.\n\n\`\`\`${mark}\n${text}\`\`\`\n`).join('\n');

describe('The check of a README', () => {
  let folder: string;
  beforeAll(async () => {
    folder = await temporaryFolder();
  });
  afterAll(() => removeFolder(folder));

  async function complaintsAbout(markdown: string): Promise<string[]> {
    const file = join(folder, 'README.md');
    await writeFile(file, markdown);
    return checkReadme(file, KNOWN);
  }

  it('has no complaint about blocks that do what they say', async () => {
    const markdown = fenced(
      ['sh', '# both at once\nnpm ci && \\\n  npm start\n\nnpm test\n'],
      ['text', 'listening\n'],
      ['ts run GET /_api/endpoint', HOST],
      ['json answer', '[{ "endpoint": "http://127.0.0.1:8529" }]\n'],
      ['cjs run GET /_api/endpoint', COMMONJS_HOST],
      ['js run GET /_api/cluster/endpoints 501', HOST],
      ['json answer GET /_api/endpoint', '[{ "endpoint": "http://127.0.0.1:8529" }]\n'],
      ['mjs run', `console.log('done');\n`],
      ['ts', `import { parseEndpoint } from 'express-endpoint-listing';\n\nparseEndpoint('tcp://h').host.at(0);\n`],
      ['json', '{ "a": 1 }\n'],
      ['ini', '[server]\nendpoint = tcp://127.0.0.1\n'],
    );
    await expect(complaintsAbout(`${markdown}\n- a list\n\n  ~~~sh\n  npm test\n  ~~~\n`)).resolves.toEqual([]);
  });

  it('tells the line of every error of type', async () => {
    const wrong = `import { parseEndpoint, nothing } from 'express-endpoint-listing';\n\nparseEndpoint(8529);\n`;
    await expect(complaintsAbout(fenced(['ts', wrong], ['js', `import 'no-such-package';\n`]))).resolves.toEqual([
      `README.md:4: Module '"express-endpoint-listing"' has no exported member 'nothing'.`,
      `README.md:6: Argument of type 'number' is not assignable to parameter of type 'string'.`,
      `README.md:12: Cannot find module or type declarations for side-effect import of 'no-such-package'.`,
    ]);
  });

  it('tells of blocks that do not do what they say, and of those that nothing can be done with', async () => {
    const markdown = fenced(
      ['ts run GET /_api/cluster/endpoints', HOST],
      ['json answer', '[]\n'],
      ['json', '{,}\n'],
      ['ts run', 'process.exitCode = 3;\n'],
      ['ts run GET /', `console.log('bye');\n`],
      ['ts start', '\n'],
      ['json reply', '[]\n'],
      ['sh', 'npm test\nnpm tset\n'],
      ['text', 'listenin\n'],
      ['ini', '[server]\nendpiont = tcp://127.0.0.1\n'],
      ['yaml', 'a: 1\n'],
      ['', 'what?\n'],
    );
    const languages = 'ts, mts, cts, js, mjs, cjs, json, ini, sh, text';
    await expect(complaintsAbout(markdown)).resolves.toEqual([
      'README.md:3: GET /_api/cluster/endpoints answered 501: {"code":501,"error":true,' +
        '"errorMessage":"cannot serve this request for this deployment type","errorNum":9}',
      'README.md:14: the answer was never asked for',
      'README.md:20: it is not JSON',
      'README.md:26: it failed: exit code 3\n',
      'README.md:32: it ended before it listened: exit code 0\nbye\n',
      'README.md:38: unknown mark "start"; known are "run", "run GET /path [status]" and "file PATH"',
      'README.md:44: unknown mark "reply"; known are "answer" and "answer GET /path"',
      'README.md:50: no test is known to run ["npm tset"]',
      'README.md:57: no test is known to print ["listenin"]',
      'README.md:63: block-63.ini:2: "endpiont": ' +
        'unknown option "server.endpiont", did you mean server.endpoint? (see --help)',
      `README.md:70: nothing is known of "yaml"; known are ${languages}`,
      `README.md:76: nothing is known of ""; known are ${languages}`,
    ]);
  });
});
