import { join } from 'node:path';
import { runCommand } from '../support/process/command.js';
import { installPackage, type Installation } from '../support/package/installation.js';
import { describeWithRegistry } from '../support/package/registry.js';
import { PACKAGE_FOLDER } from '../support/package/package-folder.js';

const JAVASCRIPT = [
  '200 {"error":false,"code":200,"endpoints":[{"endpoint":"tcp://10.0.0.1:8529"},{"endpoint":"ssl://[2001:db8::1]:8529"}]}',
  '200 [{"endpoint":"http://10.0.0.1:8529"},{"endpoint":"https://[2001:db8::1]:8529"}]',
  '',
].join('\n');

/** What each project in `consumers/` prints: the answers that its host gave to real requests. */
const PRINTS = {
  'js-esm': JAVASCRIPT,
  'js-cjs': JAVASCRIPT,
  'ts-esm': "200 [ { endpoint: 'tcp://10.0.0.1:8529' } ]\n[ 'https://[2001:db8::1]:8529' ]\n",
  'ts-cjs': [
    '403 {"code":403,"error":true,"errorMessage":"operation only allowed in system database","errorNum":1230}',
    '200 {"error":false,"code":200,"endpoints":[{"endpoint":"tcp://10.0.0.1:8529"}]}',
    "[ 'https://[2001:db8::1]:8529' ]",
    '',
  ].join('\n'),
  'ts-no-interop': [
    '200 {"error":false,"code":200,"endpoints":[{"endpoint":"tcp://10.0.0.1:8529"}]}',
    '200 [{"endpoint":"https://[2001:db8::1]:8529"}]',
    '',
  ].join('\n'),
};

/** The compiler that this package is built with. */
const TYPESCRIPT_6 = (): string => join(PACKAGE_FOLDER, 'node_modules/typescript/bin/tsc');
/** An older one, installed there; it still knows `node10` resolution and modules without `esModuleInterop`. */
const TYPESCRIPT_5 = ({ folder }: Installation): string => join(folder, 'node_modules/typescript/bin/tsc');

const HOSTS = [
  {
    express: '5',
    others: ['express@5', '@types/express@5', '@types/node@20'],
    typed: ['ts-esm', 'ts-cjs'],
    compiler: TYPESCRIPT_6,
  },
  {
    express: '4',
    others: ['express@4', '@types/express@4', '@types/node@20', 'typescript@5.4'],
    typed: ['ts-cjs', 'ts-no-interop'],
    compiler: TYPESCRIPT_5,
  },
  { express: '5.0.0', others: ['express@5.0.0'] },
  { express: '4.17.0', others: ['express@4.17.0'] },
] as const;

jest.setTimeout(400_000);

describeWithRegistry('The packed package, installed beside', () => {
  describe.each(HOSTS)('express $express,', (host) => {
    let installation: Installation;
    beforeAll(async () => {
      installation = await installPackage(host.others);
    });
    afterAll(() => installation.remove());

    it('leaves that version in place', () => {
      const { version } = installation.lockfile.packages['node_modules/express'] ?? {};
      expect(`${String(version)}.`.startsWith(`${host.express}.`)).toBe(true);
    });

    it.each(['js-esm', 'js-cjs'] as const)('answers both routes in %s', async (name) => {
      const folder = await installation.addConsumer(name);
      await expect(runCommand('node', ['index.js'], { cwd: folder })).resolves.toBe(PRINTS[name]);
    });

    if (!('typed' in host)) return;
    it.each(host.typed)('compiles in %s with every library checked, and answers both routes', async (name) => {
      const folder = await installation.addConsumer(name);
      await runCommand('node', [host.compiler(installation), '-p', '.'], { cwd: folder });
      await expect(runCommand('node', ['out/index.js'], { cwd: folder })).resolves.toBe(PRINTS[name]);
    });
  });
});
