import { readFile, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { runCommand } from '../support/process/command.js';
import { installPackage, type Installation } from '../support/package/installation.js';
import { packPackage, PACKAGE_FOLDER } from '../support/package/package-folder.js';

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
  ],
  [`${NAME}/config`]: ['ConfigError', 'SERVER_OPTIONS', 'loadServerOptions'],
  [`${NAME}/listen`]: ['ListenError', 'appClasses', 'createAppServer', 'listenOn'],
  [`${NAME}/client`]: ['ListingError', 'fetchEndpoints', 'readEndpoints'],
  [`${NAME}/etcd`]: ['createEtcdDirectory', 'listAge'],
  [`${NAME}/dns-srv`]: ['createSrvDirectory', 'listAge'],
};

jest.setTimeout(180_000);

describe('The package, installed without its peer,', () => {
  let installation: Installation;
  beforeAll(async () => {
    const packed = await packPackage();
    installation = await installPackage(packed.tarball, [], ['--legacy-peer-deps']);
    await packed.remove();
    // The peer, for the tests that load the package.
    await symlink(join(PACKAGE_FOLDER, 'node_modules/express'), join(installation.folder, 'node_modules/express'));
  });
  afterAll(() => installation.remove());

  it('brings http-errors, and what that brings', () => {
    const tree = Object.entries(installation.lockfile.packages).map(([path, { dependencies = {} }]) => [
      path.replace('node_modules/', ''),
      Object.keys(dependencies),
    ]);
    expect(Object.fromEntries(tree)).toEqual({
      [NAME]: ['http-errors'],
      'http-errors': ['depd', 'inherits', 'setprototypeof', 'statuses', 'toidentifier'],
      depd: [],
      inherits: [],
      setprototypeof: [],
      statuses: [],
      toidentifier: [],
    });
  });

  it('runs no script of any package', () => {
    const scripted = Object.values(installation.lockfile.packages).filter(({ hasInstallScript }) => hasInstallScript);
    expect(scripted).toEqual([]);
  });

  it('has no entry but these', async () => {
    const manifest = await readFile(join(installation.folder, 'node_modules', NAME, 'package.json'), 'utf8');
    const { exports: entries } = JSON.parse(manifest) as { exports: Record<string, unknown> };
    const code = Object.keys(entries).filter((entry) => !entry.endsWith('.json'));
    expect(code.map((entry) => entry.replace('.', NAME))).toEqual(Object.keys(EXPORTS));
  });

  describe.each(Object.entries(EXPORTS))('exports from %s exactly what is documented,', (entry, names) => {
    it.each([
      ['import', `import * as it from '${entry}'; console.log(JSON.stringify(Object.keys(it).sort()))`, 'module'],
      ['require', `console.log(JSON.stringify(Object.keys(require('${entry}')).sort()))`, 'commonjs'],
    ])('by %s', async (_, code, type) => {
      const args = [`--input-type=${type}`, '--eval', code];
      const printed = await runCommand('node', args, { cwd: installation.folder });
      expect(JSON.parse(printed)).toEqual(names);
    });
  });
});
