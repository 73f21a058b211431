import { packPackage, type PackedPackage } from '../support/package-folder.js';

/** Every module of the package; each is there twice, as an ES module and as CommonJS, with its types. */
const MODULES = [
  'contract',
  'endpoint/endpoint',
  'endpoint/format',
  'endpoint/host',
  'endpoint/listable',
  'endpoint/parse',
  'endpoint/syntax-error',
  'index',
  'router/answer',
  'router/coalesce',
  'router/create-router',
  'router/database',
  'router/endpoint-list',
  'router/errors',
  'router/exchange',
  'router/fixed-list',
  'router/guard',
  'router/left-out',
  'router/listing',
  'router/options',
  'router/provider',
  'router/query',
  'router/report',
  'router/respond',
  'router/role',
  'router/thenable',
  'server/listen/app-server',
  'server/listen/index',
];

const OTHER_FILES = ['LICENSE', 'dist/cjs/package.json', 'package.json'];

const FILES_OF_A_MODULE = (name: string): string[] => [
  `dist/cjs/${name}.d.ts`,
  `dist/cjs/${name}.js`,
  `dist/esm/${name}.d.ts`,
  `dist/esm/${name}.js`,
];

describe('The tarball', () => {
  let packed: PackedPackage;
  beforeAll(async () => {
    packed = await packPackage();
  });
  afterAll(() => packed.remove());

  it('holds these files and no other', () => {
    const expected = [...OTHER_FILES, ...MODULES.flatMap(FILES_OF_A_MODULE)];
    expect(packed.files.map(({ path }) => path).sort()).toEqual(expected.sort());
  });

  it('holds nothing that may be executed', () => {
    expect(packed.files.filter(({ mode }) => (mode & 0o111) !== 0)).toEqual([]);
  });

  it('is small: no file over 40 kB', () => {
    expect(packed.files.filter(({ size }) => size > 40_000)).toEqual([]);
  });
});
