import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { builtPackage, type BuiltPackage } from '../support/package/built-package.js';
import { PACKAGE_FOLDER } from '../support/package/package-folder.js';

/** A file of declarations for each subpath. */
const TYPES = [
  ...['client', 'config', 'directory', 'dns-srv', 'etcd', 'health', 'index', 'listen', 'page', 'testing', 'upstream'],
];

/** What runs: a file for each subpath, and for what several of them share. */
const SHARED = ['check', 'command-line', 'core', 'directory', 'drivers', 'listing', 'request', 'tls'];
const CODE = [...TYPES, ...SHARED.map((name) => `shared/${name}`)];

/** The command, which is an ES module, and what it loads only when it is asked for. */
const PARTS = ['alive', 'etcd-coordinators', 'output', 'remedies', 'retry-opening', 'run-check', 'run-server'];
const COMMAND = [
  'cli',
  ...[...PARTS, 'run-test-cluster', 'srv-coordinators', 'status', 'upstream-coordinators'].map((name) => `cli/${name}`),
];

/** All that is packed as it stands in the repository, the pages that the README links among them. */
const AS_IT_IS = [
  ...['CHANGELOG.md', 'LICENSE', 'README.md', 'SECURITY.md', 'package.json'],
  ...['check.schema.json', 'openapi.json', 'testing.openapi.json'],
  ...readdirSync(join(PACKAGE_FOLDER, 'docs'))
    .filter((file) => file.endsWith('.md'))
    .map((page) => `docs/${page}`),
  ...['Dockerfile', 'compose.yaml', 'express-endpoint-listing.service', 'container.conf'].map(
    (file) => `deploy/${file}`,
  ),
  ...['cluster.yaml', 'gateway.yaml'].map((file) => `deploy/kubernetes/${file}`),
  ...['alerts.yaml', 'dashboard.json'].map((file) => `deploy/prometheus/${file}`),
];

const inBothKinds = (file: string): string[] => [`dist/cjs/${file}`, `dist/esm/${file}`];

describe('The tarball', () => {
  let packed: BuiltPackage;
  beforeAll(async () => {
    packed = await builtPackage();
  });

  it('holds these files and no other', () => {
    const files = [...TYPES.map((name) => `${name}.d.ts`), ...CODE.map((name) => `${name}.js`)];
    const command = COMMAND.map((name) => `dist/esm/${name}.js`);
    const expected = [...AS_IT_IS, 'dist/cjs/package.json', ...command, ...files.flatMap(inBothKinds)];
    expect(packed.files.map(({ path }) => path).sort()).toEqual(expected.sort());
  });

  it('holds nothing that may be executed', () =>
    expect(packed.files.filter(({ mode }) => (mode & 0o111) !== 0)).toEqual([]));

  it('has no large file of code', () => {
    const files = packed.files.filter(({ path }) => path.startsWith('dist/'));
    expect(files.filter(({ size }) => size > 60_000)).toEqual([]);
  });
});
