import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { builtPackage } from '../support/package/built-package.js';
import { PACKAGE_FOLDER } from '../support/package/package-folder.js';

type Targets = Readonly<Record<'types' | 'default', string>>;

interface Manifest {
  readonly exports: Readonly<Record<string, string | Readonly<Record<'import' | 'require', Targets>>>>;
  readonly typesVersions: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>>;
  readonly scripts: Readonly<Record<string, string>>;
  readonly dependencies: Readonly<Record<string, string>>;
  readonly peerDependencies: Readonly<Record<string, string>>;
}

const manifest = JSON.parse(readFileSync(join(PACKAGE_FOLDER, 'package.json'), 'utf8')) as Manifest;

describe('package.json', () => {
  it('asks for express as a peer, from 4.17 to the end of 5, and depends on http-errors alone', () => {
    expect(manifest.peerDependencies).toEqual({ express: '^4.17.0 || ^5.0.0' });
    expect(manifest.dependencies).toEqual({ 'http-errors': '^2.0.1' });
    const kinds = Object.keys(manifest).filter((key) => key.toLowerCase().includes('dependencies'));
    expect(kinds).toEqual(['peerDependencies', 'dependencies', 'devDependencies']);
    expect(Object.keys(manifest.scripts).filter((name) => name.endsWith('install'))).toEqual([]);
    // What a bundler, a loader and a licence check ask.
    expect(manifest).toMatchObject({
      license: 'Apache-2.0',
      type: 'module',
      sideEffects: false,
      engines: { node: '>=20' },
    });
  });

  it('names for each subpath the file of its kind, types before code, as a compiler takes the first that fits', async () => {
    const { folder } = await builtPackage();
    for (const [name, target] of Object.entries(manifest.exports)) {
      if (typeof target === 'string') expect(existsSync(join(folder, target))).toBe(true);
      else {
        const file = name === '.' ? 'index' : name.slice('./'.length);
        const ofKind = (kind: string): [string, string][] => [
          ['types', `./dist/${kind}/${file}.d.ts`],
          ['default', `./dist/${kind}/${file}.js`],
        ];
        expect(Object.entries(target.import)).toEqual(ofKind('esm'));
        expect(Object.entries(target.require)).toEqual(ofKind('cjs'));
      }
    }
  });

  it('tells compilers that do not read exports where the types of each subpath are', () => {
    const expected = Object.entries(manifest.exports).flatMap(([name, target]) =>
      typeof target === 'string' || name === '.' ? [] : [[name.slice('./'.length), [target.require.types]]],
    );
    expect(Object.entries(manifest.typesVersions['*'] ?? {})).toEqual(expected);
  });
});
