import { builtPackage, type BuiltPackage } from '../support/package/built-package.js';

/** A file of declarations for each subpath. */
const TYPES = [
  'client',
  'config',
  'directory',
  'dns-srv',
  'etcd',
  'health',
  'index',
  'listen',
  'page',
  'testing',
  'upstream',
];

const OTHER_FILES = [
  'CHANGELOG.md',
  'LICENSE',
  'README.md',
  'SECURITY.md',
  'check.schema.json',
  'dist/cjs/package.json',
  'openapi.json',
  'package.json',
  'testing.openapi.json',
];

/** What runs: a file for each subpath, and for what several of them share. */
const SHARED = ['check', 'command-line', 'core', 'directory', 'drivers', 'listing', 'request', 'tls'];
const CODE = [...TYPES, ...SHARED.map((name) => `shared/${name}`)];

/** The command, which is an ES module, and what it loads only when it is asked for. */
const COMMAND = [
  'cli',
  'cli/alive',
  'cli/etcd-coordinators',
  'cli/keep-trying',
  'cli/output',
  'cli/run-check',
  'cli/run-server',
  'cli/run-test-cluster',
  'cli/srv-coordinators',
  'cli/status',
  'cli/upstream-coordinators',
].map((name) => `dist/esm/${name}.js`);

/** The pages that the README links. */
const DOCS = [
  'architecture',
  'check',
  'client',
  'cluster',
  'deploy',
  'drivers',
  'gateway',
  'http-contract',
  'listen',
  'performance',
  'server',
  'testing',
].map((name) => `docs/${name}.md`);

/** To copy and change. */
const DEPLOY = [
  'deploy/Dockerfile',
  'deploy/compose.yaml',
  'deploy/express-endpoint-listing.service',
  'deploy/kubernetes/cluster.yaml',
  'deploy/kubernetes/gateway.yaml',
  'deploy/container.conf',
  'deploy/prometheus/alerts.yaml',
  'deploy/prometheus/dashboard.json',
];

const inBothKinds = (file: string): string[] => [`dist/cjs/${file}`, `dist/esm/${file}`];

describe('The tarball', () => {
  let packed: BuiltPackage;
  beforeAll(async () => {
    packed = await builtPackage();
  });

  it('holds these files and no other', () => {
    const files = [...TYPES.map((name) => `${name}.d.ts`), ...CODE.map((name) => `${name}.js`)];
    const expected = [...OTHER_FILES, ...DOCS, ...DEPLOY, ...COMMAND, ...files.flatMap(inBothKinds)];
    expect(packed.files.map(({ path }) => path).sort()).toEqual(expected.sort());
  });

  it('holds nothing that may be executed', () => {
    expect(packed.files.filter(({ mode }) => (mode & 0o111) !== 0)).toEqual([]);
  });

  it('has no large file of code', () => {
    const files = packed.files.filter(({ path }) => path.startsWith('dist/'));
    expect(files.filter(({ size }) => size > 60_000)).toEqual([]);
  });
});
