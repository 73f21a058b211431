import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { PACKAGE_FOLDER } from '../support/package/package-folder.js';
import { checkReadme } from '../support/readme/check-readme.js';

const PAGES = readdirSync(join(PACKAGE_FOLDER, 'docs'))
  .filter((file) => file.endsWith('.md'))
  .map((file) => `docs/${file}`);
const CONTROL = '__tests__/cli/test-cluster/command.test.ts';
const EXAMPLES = '__tests__/example/examples.long.test.ts';

/** Every command of a README, and what runs it. */
const COMMANDS = {
  'npm ci && npm start': '__tests__/cli',
  'npm ci && npm test': '.ci/run',
  'npm install express-endpoint-listing express': '__tests__/package/consumers.long.test.ts',
  'npm run example -- single-server': EXAMPLES,
  'npm run example -- gateway tcp://10.0.0.11:8529=ssl://db1.example:443 tcp://10.0.0.12:8529=ssl://db2.example:443':
    EXAMPLES,
  'npm run example -- coordinator': EXAMPLES,
  'npm run example -- with-authentication': EXAMPLES,
  'npm run example -- plain-http': EXAMPLES,
  'curl http://127.0.0.1:8529/_api/endpoint': EXAMPLES,
  'curl http://127.0.0.1:8530/_api/endpoint': EXAMPLES,
  'curl http://127.0.0.1:8529/_api/cluster/endpoints': EXAMPLES,
  'npm run cluster': '__tests__/engines/cluster-example.long.test.ts',
  'npm start -- --server.endpoint tcp://127.0.0.1:8530 --cluster.my-role COORDINATOR --cluster.my-address tcp://127.0.0.1:8530 --cluster.agency-endpoint http://127.0.0.1:2379':
    '__tests__/engines/coordinators.long.test.ts',
  'npx express-endpoint-listing --server.endpoint tcp://127.0.0.1:8529 --server.endpoint unix:///tmp/x.sock':
    '__tests__/package/command.long.test.ts',
  [`export ENDPOINT_LISTING_UPSTREAM_AUTHORIZATION="Basic $(printf %s 'root:PASSWORD' | base64)"`]:
    '__tests__/cli/serve/upstream-authorization.test.ts',
  'npx express-endpoint-listing --cluster.my-role COORDINATOR --cluster.coordinator tcp://db1.example --cluster.coordinator tcp://db2.example':
    '__tests__/package/command.long.test.ts',
  "ENDPOINT_LISTING_CLUSTER_MY_ROLE=COORDINATOR ENDPOINT_LISTING_CLUSTER_COORDINATOR='tcp://db1.example tcp://db2.example' npx express-endpoint-listing":
    '__tests__/config/three-places.test.ts',
  'npx express-endpoint-listing test-cluster --coordinators 3 --control-port 0 --until-stdin-closes':
    '__tests__/package/testing.long.test.ts',
  [`put() { curl -X PUT -H 'Content-Type: application/json' -d "$2" "$CONTROL/$1"; }`]: CONTROL,
  [`put trouble '{"kind":"reset","at":"in-head","times":2}'`]: CONTROL,
  [`put list '["tcp://127.0.0.1:8529"]'`]: CONTROL,
  [`put role '"single"'`]: CONTROL,
  'curl -X PUT "$CONTROL/coordinators/1/stop"': CONTROL,
  'curl "$CONTROL/requests"': CONTROL,
  'curl -X POST "$CONTROL/reset"': CONTROL,
  'npx express-endpoint-listing test-cluster --host 0.0.0.0 --advertised-host cluster --ports 8529-8531 --control-port 8540':
    CONTROL,
  'docker run --rm -p 8529:8529 -p 8530:8530 -e ENDPOINT_LISTING_STATUS_ENDPOINT=tcp://0.0.0.0:8530 endpoint-listing --cluster.my-role COORDINATOR --cluster.coordinator tcp://db1.example:8529':
    '__tests__/engines/containers.long.test.ts',
  'npx express-endpoint-listing check http://db.example:8529': '__tests__/package/check-terminal.long.test.ts',
  'npm run bench': '.ci/run',
  'npm run mutation': 'stryker.config.mjs',
  'curl -u root:openSesame http://127.0.0.1:8529/_api/cluster/endpoints': EXAMPLES,
};

/** Every line that a README shows as output, and what looks for it. */
const OUTPUT = {
  '2 problems in the configuration:': '__tests__/config/config-error.test.ts',
  'see --help': '__tests__/config/reference-server.test.ts',
  'command line: "--sever.endpoint": unknown option "--sever.endpoint", did you mean --server.endpoint?':
    '__tests__/package/command.long.test.ts',
  '/etc/endpoints.conf:3: "endpoint = @HOST@": the value is empty; not set in the environment: HOST':
    '__tests__/config/environment.test.ts',
  ...Object.fromEntries(
    [
      'http://db.example:8529 lists 3 coordinators (12 ms)',
      'ENDPOINT               RESULT    TIME    DETAIL',
      'tcp://10.0.0.11:8529   ok         3 ms   lists the same 3',
      'tcp://10.0.0.12:8529   timeout   2.0 s   no answer to the connection: not reachable from here',
      'ssl://10.0.0.13:8529   tls        8 ms   certificate is for db.example, not 10.0.0.13',
      '1 of 3 can be used from here. A driver that takes this list will fail on the others.',
    ].map((line) => [line, '__tests__/check']),
  ),
  ...Object.fromEntries(
    [
      'three coordinators started; after 0.1 s tcp://127.0.0.1:38635 lists:',
      'tcp://127.0.0.1:39625 killed; after 14.9 s tcp://127.0.0.1:38635 lists:',
      'tcp://127.0.0.1:41783 stopped; after 0.1 s tcp://127.0.0.1:38635 lists:',
      'tcp://127.0.0.1:38635',
      'tcp://127.0.0.1:39625',
      'tcp://127.0.0.1:41783',
    ].map((line) => [line, '__tests__/engines/cluster-example.long.test.ts']),
  ),
};

describe('Every code block is run or compiled, or known to be run elsewhere:', () => {
  it.each([...PAGES, 'README.md', 'example/README.md'])('%s', async (file) => {
    const known = { commands: Object.keys(COMMANDS), output: Object.keys(OUTPUT) };
    await expect(checkReadme(join(PACKAGE_FOLDER, file), known)).resolves.toEqual([]);
  });

  it.each([...Object.entries<string>(COMMANDS), ...Object.entries<string>(OUTPUT)])('%s: %s', (_, test) => {
    expect(existsSync(join(PACKAGE_FOLDER, test))).toBe(true);
  });
});
