import { packPackage, type PackedPackage } from '../support/package-folder.js';

/** Every module of the package, by folder; each is there twice, as an ES module and as CommonJS, with its types. */
const MODULES = {
  '': ['contract', 'index', 'version'],
  'client/': [
    'answer',
    'body-bytes',
    'deadline',
    'fetch-endpoints',
    'index',
    'listing-error',
    'options',
    'read-endpoints',
    'refusal',
    'server-url',
  ],
  'endpoint/': ['endpoint', 'format', 'host', 'listable', 'parse', 'syntax-error'],
  'membership/': ['directory', 'held-list', 'list-age', 'options', 'unavailable'],
  'membership/dns-srv/': ['ask', 'create-srv-directory', 'endpoint-texts', 'index', 'options', 'srv-directory'],
  'membership/etcd/': [
    'answers',
    'count-check',
    'create-directory',
    'deadline',
    'etcd-directory',
    'follower',
    'gateway',
    'gateway-error',
    'index',
    'json-lines',
    'keys',
    'leased-directory',
    'leased-key',
    'options',
    'pace',
    'post',
    'range',
    'registration',
    'session',
    'tokens',
    'watch',
  ],
  'router/': [
    'answer',
    'coalesce',
    'create-router',
    'database',
    'departure',
    'endpoint-list',
    'errors',
    'exchange',
    'fixed-list',
    'guard',
    'left-out',
    'listing',
    'options',
    'provider',
    'query',
    'report',
    'respond',
    'role',
    'thenable',
  ],
  'server/cli/': [
    'announce',
    'application',
    'bin',
    'coordinators',
    'directory-log',
    'etcd-coordinators',
    'help',
    'reload',
    'run-server',
    'serve',
    'signals',
    'srv-coordinators',
    'terminal',
  ],
  'server/config/': [
    'chosen-values',
    'command-line',
    'config-error',
    'config-file',
    'config-line',
    'deployment',
    'environment',
    'file-text',
    'given-value',
    'index',
    'load-options',
    'load-server-options',
    'nearest-name',
    'option-table',
    'place',
    'server-options',
    'unknown-option',
    'user-info',
    'value-readers',
  ],
  'server/listen/': [
    'abort',
    'app-server',
    'bind',
    'bind-all',
    'close',
    'connections',
    'endpoint-list',
    'index',
    'listen-error',
    'listen-on',
    'options',
    'servers',
    'socket-file',
    'ssl-options',
    'targets',
    'tls-options',
  ],
};

const OTHER_FILES = [
  'CHANGELOG.md',
  'LICENSE',
  'README.md',
  'SECURITY.md',
  'dist/cjs/package.json',
  'openapi.json',
  'package.json',
];

const filesOfModule = (name: string): string[] => [
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
    const modules = Object.entries(MODULES).flatMap(([folder, names]) => names.map((name) => folder + name));
    const expected = [...OTHER_FILES, ...modules.flatMap(filesOfModule)];
    expect(packed.files.map(({ path }) => path).sort()).toEqual(expected.sort());
  });

  it('holds nothing that may be executed', () => {
    expect(packed.files.filter(({ mode }) => (mode & 0o111) !== 0)).toEqual([]);
  });

  it('has no large module', () => {
    const modules = packed.files.filter(({ path }) => path.startsWith('dist/'));
    expect(modules.filter(({ size }) => size > 20_000)).toEqual([]);
  });
});
