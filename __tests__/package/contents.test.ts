import { packPackage, type PackedPackage } from '../support/package-folder.js';

/** Every module of the package, by folder; its types are there twice, for ES modules and for CommonJS. */
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
  'options/': ['check-options', 'milliseconds'],
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

/** What runs: a file for each subpath, for the command, and for what several of them share. */
const CODE = [
  'client/index',
  'index',
  'membership/dns-srv/index',
  'membership/etcd/index',
  'server/cli/bin',
  'server/cli/directory-log',
  'server/cli/etcd-coordinators',
  'server/cli/srv-coordinators',
  'server/config/index',
  'server/listen/index',
  'shared/endpoint',
  'shared/membership',
];

const inBothKinds = (file: string): string[] => [`dist/cjs/${file}`, `dist/esm/${file}`];

describe('The tarball', () => {
  let packed: PackedPackage;
  beforeAll(async () => {
    packed = await packPackage();
  });
  afterAll(() => packed.remove());

  it('holds these files and no other', () => {
    const modules = Object.entries(MODULES).flatMap(([folder, names]) => names.map((name) => folder + name));
    const files = [...modules.map((name) => `${name}.d.ts`), ...CODE.map((name) => `${name}.js`)];
    const expected = [...OTHER_FILES, ...files.flatMap(inBothKinds)];
    expect(packed.files.map(({ path }) => path).sort()).toEqual(expected.sort());
  });

  it('holds nothing that may be executed', () => {
    expect(packed.files.filter(({ mode }) => (mode & 0o111) !== 0)).toEqual([]);
  });

  it('has no large file of code', () => {
    const files = packed.files.filter(({ path }) => path.startsWith('dist/'));
    expect(files.filter(({ size }) => size > 50_000)).toEqual([]);
  });
});
