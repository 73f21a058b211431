import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { builtPackage } from '../support/package/built-package.js';
import { PACKAGE_FOLDER } from '../support/package/package-folder.js';

type Targets = Readonly<Record<'types' | 'default', string>>;

interface Manifest {
  readonly exports: Readonly<Record<string, string | Readonly<Record<'import' | 'require', Targets>>>>;
  readonly typesVersions: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>>;
  readonly dependencies: Readonly<Record<string, string>>;
  readonly peerDependencies: Readonly<Record<string, string>>;
  readonly scripts: Readonly<Record<string, string>>;
  readonly main: string;
  readonly types: string;
}

const manifest = JSON.parse(readFileSync(join(PACKAGE_FOLDER, 'package.json'), 'utf8')) as Manifest;

describe('package.json', () => {
  it('asks for express as a peer, from 4.17 to the end of 5, and depends on http-errors alone', () => {
    expect(manifest.peerDependencies).toEqual({ express: '^4.17.0 || ^5.0.0' });
    expect(manifest.dependencies).toEqual({ 'http-errors': '^2.0.1' });
    const kinds = Object.keys(manifest).filter((key) => key.toLowerCase().includes('dependencies'));
    expect(kinds).toEqual(['peerDependencies', 'dependencies', 'devDependencies']);
  });

  it('says what a bundler, a loader and a licence check ask', () => {
    expect(manifest).toMatchObject({
      name: 'express-endpoint-listing',
      license: 'Apache-2.0',
      type: 'module',
      sideEffects: false,
      engines: { node: '>=20' },
    });
  });

  it('runs nothing when it is installed from a registry', () => {
    const hooks = ['preinstall', 'install', 'postinstall', 'prepublish', 'preprepare', 'postprepare'];
    expect(Object.keys(manifest.scripts).filter((name) => hooks.includes(name))).toEqual([]);
  });

  const targets = Object.entries(manifest.exports).flatMap(([name, target]): [string, string][] =>
    typeof target === 'string'
      ? [[name, target]]
      : [target.import, target.require].flatMap((kind) =>
          Object.values(kind).map((file): [string, string] => [name, file]),
        ),
  );
  const typesVersions = Object.entries(manifest.typesVersions['*'] ?? {});

  it.each([...targets, ['main', manifest.main], ['types', manifest.types]])(
    'has for %s the file %s',
    async (_, file) => {
      const { folder } = await builtPackage();
      expect(existsSync(join(folder, file))).toBe(true);
    },
  );

  it('names types before code, because a compiler takes the first that fits', () => {
    for (const target of Object.values(manifest.exports)) {
      if (typeof target === 'string') continue;
      expect([Object.keys(target.import), Object.keys(target.require)]).toEqual([
        ['types', 'default'],
        ['types', 'default'],
      ]);
    }
  });

  it('tells compilers that do not read exports where the types of each subpath are', () => {
    const expected = Object.entries(manifest.exports).flatMap(([name, target]) =>
      typeof target === 'string' || name === '.' ? [] : [[name.slice('./'.length), [target.require.types]]],
    );
    expect(typesVersions).toEqual(expected);
  });
});
