import { defineConfig, globalIgnores } from 'eslint/config';
import { createNodeResolver, importX } from 'eslint-plugin-import-x';
import { readdirSync } from 'node:fs';
import tseslint from 'typescript-eslint';

/** Below the subpaths, from the bottom: each knows those before it, and nothing else of lib. */
const SHARED = ['text', 'command-line', 'endpoint', 'options', 'request', 'drivers', 'listing', 'directory'];
/** What a project without Express uses, types included. */
const WITHOUT_EXPRESS = ['config', 'client', 'dns-srv', 'etcd', 'upstream', 'health'];

const foldersOfLib = readdirSync('lib', { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map(({ name }) => name);
/** A folder for each subpath, `router` for the root's; the command stands above them all. */
const subpaths = foldersOfLib.filter((name) => !SHARED.includes(name) && name !== 'cli');
const withoutExpress = subpaths.filter((name) => WITHOUT_EXPRESS.includes(name));

const zone = (name, from, message, except = []) => ({
  target: `./lib/${name}`,
  from: `./lib/${from}`,
  except,
  message,
});

/** Arrows point downwards. */
const zones = [
  ...SHARED.flatMap((name, layer) =>
    [...foldersOfLib, 'index.ts']
      .filter((other) => other !== name && !SHARED.slice(0, layer).includes(other))
      .map((other) => zone(name, other, `${name} is shared by what would be above it`)),
  ),
  ...[...subpaths, 'cli'].flatMap((name) =>
    subpaths
      .filter((other) => other !== name)
      .map((other) => zone(name, other, `only the index.ts of ${other} is public`, ['./index.ts'])),
  ),
  ...subpaths.map((name) => zone(name, 'cli', 'nothing knows the command')),
  // The core knows Express, http-errors and nothing else.
  ...subpaths.filter((name) => name !== 'router').map((name) => zone('router', name, `the core does not know ${name}`)),
  zone('router', 'index.ts', 'the root shows what the core has'),
  ...withoutExpress.map((name) => zone(name, 'index.ts', `${name} needs no Express, and the root does`)),
];

export default defineConfig(
  globalIgnores(['build', '**/dist', 'coverage', 'reports', '.stryker-tmp', '__tests__/consumers']),
  {
    files: ['**/*.ts'],
    extends: [tseslint.configs.strictTypeChecked, tseslint.configs.stylisticTypeChecked],
    languageOptions: { parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname } },
    rules: {
      '@typescript-eslint/consistent-type-imports': 'error',
      '@typescript-eslint/consistent-type-exports': 'error',
      '@typescript-eslint/no-import-type-side-effects': 'error',
      '@typescript-eslint/switch-exhaustiveness-check': 'error',
      '@typescript-eslint/no-confusing-void-expression': ['error', { ignoreArrowShorthand: true }],
    },
  },
  {
    files: ['lib/**/*.ts'],
    plugins: { 'import-x': importX },
    settings: {
      'import-x/extensions': ['.ts'],
      'import-x/parsers': { '@typescript-eslint/parser': ['.ts'] },
      'import-x/resolver-next': [createNodeResolver({ extensionAlias: { '.js': ['.ts'] } })],
    },
    rules: {
      'import-x/no-cycle': 'error',
      'import-x/no-restricted-paths': ['error', { basePath: import.meta.dirname, zones }],
    },
  },
  {
    files: ['lib/**/*.ts'],
    rules: {
      'max-lines-per-function': ['error', { max: 60, skipBlankLines: true, skipComments: true }],
      'max-params': ['error', 4],
    },
  },
  {
    // A clock that is set forward or back must end, delay and expire nothing; `performance.now()` goes on.
    files: ['client', 'dns-srv', 'etcd', 'upstream', 'request', 'listing'].map((name) => `lib/${name}/**/*.ts`),
    rules: { 'no-restricted-globals': ['error', 'Date'] },
  },
  {
    // When a state began is told by the clock, in this file alone.
    files: ['lib/directory/**/*.ts'],
    ignores: ['lib/directory/entry-list.ts'],
    rules: { 'no-restricted-globals': ['error', 'Date'] },
  },
  {
    files: withoutExpress.map((name) => `lib/${name}/**/*.ts`),
    rules: { 'no-restricted-imports': ['error', { paths: ['express', 'http-errors'] }] },
  },
  {
    files: SHARED.map((name) => `lib/${name}/**/*.ts`),
    rules: { 'no-restricted-imports': ['error', { paths: ['express'] }] },
  },
);
