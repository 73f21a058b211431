import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { PACKAGE_FOLDER } from '../support/package/package-folder.js';
import { useScratchFolder } from '../support/process/scratch-folder.js';
import { checkReadme } from '../support/readme/check-readme.js';

const PAGES = readdirSync(join(PACKAGE_FOLDER, 'docs'))
  .filter((file) => file.endsWith('.md'))
  .map((file) => `docs/${file}`);
/** Every command of a README, behind what runs it. */
const COMMANDS: Readonly<Record<string, readonly string[]>> = {
  '.ci/run': ['npm ci && npm start', 'npm ci && npm test', 'npm run bench'],
  'stryker.config.mjs': ['npm run mutation'],
  '__tests__/example/examples.long.test.ts': [
    'npm run example -- single-server',
    'npm run example -- gateway tcp://10.0.0.11:8529=ssl://db1.example:443 tcp://10.0.0.12:8529=ssl://db2.example:443',
    'npm run example -- coordinator',
    'npm run example -- with-authentication',
    'npm run example -- plain-http',
    'curl http://127.0.0.1:8529/_api/endpoint',
    'curl http://127.0.0.1:8531/_api/endpoint',
    'curl http://127.0.0.1:8529/_api/cluster/endpoints',
    'curl -u root:openSesame http://127.0.0.1:8529/_api/cluster/endpoints',
  ],
  '__tests__/engines/cluster-example.long.test.ts': ['npm run cluster'],
  '__tests__/engines/coordinators.long.test.ts': [
    'npm start -- --server.endpoint tcp://127.0.0.1:8531 --cluster.my-role COORDINATOR --cluster.my-address tcp://127.0.0.1:8531 --cluster.agency-endpoint http://127.0.0.1:2379',
  ],
  '__tests__/package/command.long.test.ts': [
    'npm install express-endpoint-listing express',
    'npx express-endpoint-listing --server.endpoint tcp://127.0.0.1:8529 --server.endpoint unix:///tmp/x.sock',
    'npx express-endpoint-listing --cluster.my-role COORDINATOR --cluster.coordinator tcp://db1.example --cluster.coordinator tcp://db2.example',
  ],
  '__tests__/cli/serve/upstream-authorization.test.ts': [
    `export ENDPOINT_LISTING_UPSTREAM_AUTHORIZATION="Basic $(printf %s 'root:PASSWORD' | base64)"`,
  ],
  '__tests__/config/three-places.test.ts': [
    "ENDPOINT_LISTING_CLUSTER_MY_ROLE=COORDINATOR ENDPOINT_LISTING_CLUSTER_COORDINATOR='tcp://db1.example tcp://db2.example' npx express-endpoint-listing",
  ],
  '__tests__/cli/test-cluster/command.test.ts': [
    'npx express-endpoint-listing test-cluster --coordinators 3 --control-port 0 --until-stdin-closes',
    `put() { curl -X PUT -H 'Content-Type: application/json' -d "$2" "$CONTROL/$1"; }`,
    `put trouble '{"kind":"reset","at":"in-head","times":2}'`,
    `put list '["tcp://127.0.0.1:8529"]'`,
    `put role '"single"'`,
    'curl -X PUT "$CONTROL/coordinators/1/stop"',
    'curl "$CONTROL/requests"',
    'curl -X POST "$CONTROL/reset"',
    'npx express-endpoint-listing test-cluster --host 0.0.0.0 --advertised-host cluster --ports 8529-8531 --control-port 8540',
  ],
  '__tests__/engines/containers.long.test.ts': [
    'docker run --rm -p 8529:8529 -p 8530:8530 -e ENDPOINT_LISTING_STATUS_ENDPOINT=tcp://0.0.0.0:8530 endpoint-listing --cluster.my-role COORDINATOR --cluster.coordinator tcp://db1.example:8529',
  ],
  '__tests__/package/check-terminal.long.test.ts': ['npx express-endpoint-listing check http://db.example:8529'],
};

/** Every line that a README shows as output, behind what looks for it. */
const OUTPUT: Readonly<Record<string, readonly string[]>> = {
  '__tests__/config/config-error.test.ts': ['2 problems in the configuration:', 'see --help'],
  '__tests__/package/command.long.test.ts': [
    'command line: "--sever.endpoint": unknown option "--sever.endpoint", did you mean --server.endpoint?',
  ],
  '__tests__/config/environment.test.ts': [
    '/etc/endpoints.conf:3: "endpoint = @HOST@": the value is empty; not set in the environment: HOST',
  ],
  '__tests__/cli/check/report.test.ts': [
    'http://db.example:8529 lists 3 coordinators (12 ms)',
    'ENDPOINT               RESULT    TIME    DETAIL',
    'tcp://10.0.0.11:8529   ok         3 ms   lists the same 3',
    'tcp://10.0.0.12:8529   timeout   2.0 s   no answer to the connection: not reachable from here',
    'ssl://10.0.0.13:8529   tls        8 ms   certificate is for db.example, not 10.0.0.13',
    '1 of 3 can be used from here. A driver that takes this list will fail on the others.',
  ],
  '__tests__/engines/cluster-example.long.test.ts': [
    'three coordinators started; after 0.1 s tcp://127.0.0.1:38635 lists:',
    'tcp://127.0.0.1:39625 killed; after 14.9 s tcp://127.0.0.1:38635 lists:',
    'tcp://127.0.0.1:41783 stopped; after 0.1 s tcp://127.0.0.1:38635 lists:',
    'tcp://127.0.0.1:38635',
    'tcp://127.0.0.1:39625',
    'tcp://127.0.0.1:41783',
  ],
};
const KNOWN = { commands: Object.values(COMMANDS).flat(), output: Object.values(OUTPUT).flat() };

describe('Every code block is run or compiled, or known to be run elsewhere:', () => {
  const scratchFile = useScratchFolder();

  it.each([...PAGES, 'README.md', 'example/README.md'])('%s', async (file) => {
    await expect(checkReadme(join(PACKAGE_FOLDER, file), KNOWN)).resolves.toEqual([]);
  });

  it.each(Object.keys({ ...COMMANDS, ...OUTPUT }))('%s', (test) =>
    expect(existsSync(join(PACKAGE_FOLDER, test))).toBe(true),
  );

  it('those of a page that is wrong are not', async () => {
    const blocks = [
      ['ts run', 'process.exitCode = 3;'],
      ['ts run GET /', `console.log('bye');`],
      ['json answer', '[]'],
      ['json', '{,}'],
      ['sh', 'npm tset'],
      ['text', 'listenin'],
      ['ini', '[server]\nendpiont = tcp://127.0.0.1'],
      ['yaml', 'a: 1'],
    ];
    const file = scratchFile('README.md');
    const complaintsAbout = (fenced: readonly string[][]): Promise<string[]> => {
      writeFileSync(file, fenced.map(([mark = '', text = '']) => `\`\`\`${mark}\n${text}\n\`\`\`\n`).join('\n'));
      return checkReadme(file, KNOWN);
    };
    const complaints = await complaintsAbout(blocks);
    expect(complaints.map((text) => text.replace(/[;[(\n].*/s, ''))).toEqual([
      'README.md:1: it failed: exit code 3',
      'README.md:5: it ended before it listened: exit code 0',
      'README.md:9: the answer was never asked for',
      'README.md:13: it is not JSON',
      'README.md:17: no test is known to run ',
      'README.md:21: no test is known to print ',
      'README.md:25: block-25.ini:2: "endpiont": unknown option "server.endpiont", did you mean server.endpoint? ',
      'README.md:30: nothing is known of "yaml"',
    ]);
    await expect(complaintsAbout([['ts', 'parseEndpoint(8529);']])).resolves.toEqual([
      "README.md:2: Cannot find name 'parseEndpoint'.",
    ]);
  });
});
