import { installPackage, type Installation } from '../support/package/installation.js';
import { describeWithRegistry } from '../support/package/registry.js';

const NAME = 'express-endpoint-listing';

describeWithRegistry('The package, installed without its peer,', () => {
  let installation: Installation;
  beforeAll(async () => {
    installation = await installPackage([], ['--legacy-peer-deps']);
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
});
