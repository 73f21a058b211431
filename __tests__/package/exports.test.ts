import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { runCommand } from '../support/process/command.js';
import { JAVASCRIPT_PRINTS, unpackPackage, type Project } from '../support/package/unpacked.js';

const NAME = 'express-endpoint-listing';

/** The values that each entry of the package exports; types leave no trace here. */
const EXPORTS = {
  [NAME]: [
    'EndpointSyntaxError',
    'SYSTEM_DATABASE',
    'coalesce',
    'createEndpointRouter',
    'formatEndpoint',
    'parseEndpoint',
    'translateEndpoints',
  ],
  [`${NAME}/config`]: ['ConfigError', 'SERVER_OPTIONS', 'loadServerOptions'],
  [`${NAME}/listen`]: ['ListenError', 'appClasses', 'createAppServer', 'listenOn'],
  [`${NAME}/client`]: ['ListingError', 'checkEndpoints', 'fetchEndpoints', 'readEndpoints'],
  [`${NAME}/etcd`]: ['createEtcdDirectory', 'listAge'],
  [`${NAME}/dns-srv`]: ['createSrvDirectory', 'listAge'],
  [`${NAME}/upstream`]: ['createUpstreamDirectory', 'listAge'],
  [`${NAME}/health`]: ['createHealthDirectory', 'listAge'],
  [`${NAME}/directory`]: ['createPolledDirectory', 'createTranslatedDirectory', 'listAge'],
  [`${NAME}/page`]: ['createListingPage'],
  [`${NAME}/testing`]: ['startTestCluster'],
};

describe('The package, unpacked beside its dependency and its peer,', () => {
  let project: Project;
  beforeAll(async () => {
    project = await unpackPackage();
  });
  afterAll(() => project.remove());

  it('has no entry but these', async () => {
    const manifest = await readFile(join(project.folder, 'node_modules', NAME, 'package.json'), 'utf8');
    const { exports: entries } = JSON.parse(manifest) as { exports: Record<string, unknown> };
    const names = Object.keys(entries).map((entry) => entry.replace('.', NAME));
    const documents = ['package', 'check.schema', 'openapi', 'testing.openapi'].map((name) => `${NAME}/${name}.json`);
    expect(names).toEqual([...Object.keys(EXPORTS), ...documents]);
  });

  describe.each(Object.entries(EXPORTS))('exports from %s exactly what is documented,', (entry, names) =>
    it.each([
      ['import', `import * as it from '${entry}'; console.log(JSON.stringify(Object.keys(it).sort()))`, 'module'],
      ['require', `console.log(JSON.stringify(Object.keys(require('${entry}')).sort()))`, 'commonjs'],
    ])('by %s', async (_, code, type) => {
      const args = [`--input-type=${type}`, '--eval', code];
      const printed = await runCommand('node', args, { cwd: project.folder });
      expect(JSON.parse(printed)).toEqual(names);
    }),
  );

  it.each(['js-esm', 'js-cjs'])('answers both routes in %s', async (name) => {
    const folder = await project.addConsumer(name);
    await expect(runCommand('node', ['index.js'], { cwd: folder })).resolves.toBe(JAVASCRIPT_PRINTS);
  });
});
