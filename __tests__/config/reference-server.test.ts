import { fileError, load, loadError, loadFile, type Files } from '../support/process/config-folder.js';

/** As the packages of the reference server install it. */
const PACKAGED = `# ArangoDB configuration file

[database]
directory = /var/lib/arangodb3
# maximal-journal-size = 33554432

[server]
endpoint = tcp://127.0.0.1:8529
storage-engine = auto
authentication = true
uid = arangodb

[foxx]
# queues = true

[log]
level = info
level = replication=warn
file = /var/log/arangodb3/arangod.log
`;

/** As people write it for a Coordinator with TLS. */
const COORDINATOR = `[server]
endpoint = ssl://0.0.0.0:8529
jwt-secret-keyfile = /etc/arangodb3/jwt
[scheduler]
threads = 2
[cluster]
my-role = COORDINATOR
my-address = ssl://db1.example:8529
my-advertised-endpoint = ssl://public.example:443
coordinator = ssl://db1.example:8529
synchronous-replication-timeout-per-4k = 0.1
[ssl]
keyfile = /etc/arangodb3/server.pem
cafile = /etc/arangodb3/ca.pem
[audit]
output = file:///var/log/arangodb3/audit.log
[http]
trusted-origin = *
[tcp]
reuse-address = true
[web-interface]
version-check = false
`;

describe('a configuration file of the reference server', () => {
  it('of a package is read; what has no use here is named, once and without its value', () =>
    expect(loadFile(PACKAGED)).toMatchObject({
      endpoints: ['tcp://127.0.0.1:8529'],
      role: 'single',
      logLevel: 'info',
      ignored: [
        'database.directory',
        'server.storage-engine',
        'server.authentication',
        'server.uid',
        'log.level',
        'log.file',
      ],
    }));

  it('of a Coordinator is read', () => {
    const { ignored, ...options } = loadFile(COORDINATOR);
    expect(options).toMatchObject({
      endpoints: ['ssl://0.0.0.0:8529'],
      role: 'coordinator',
      myAddress: 'ssl://db1.example:8529',
      advertisedEndpoint: 'ssl://public.example:443',
      coordinators: ['ssl://db1.example:8529'],
      ssl: { keyfile: '/etc/arangodb3/server.pem' },
    });
    expect(ignored).toEqual([
      'server.jwt-secret-keyfile',
      'scheduler.threads',
      'cluster.synchronous-replication-timeout-per-4k',
      'ssl.cafile',
      'audit.output',
      'http.trusted-origin',
      'tcp.reuse-address',
      'web-interface.version-check',
    ]);
  });

  it('names what its includes and the file beside it have, too', () => {
    const files: Files = {
      'a.conf': '@include tls\n[log]\nfile = -\n[log]\nfile = /other',
      'tls.conf': '[ssl]\ncipher-list = HIGH',
      'a.conf.local': '[temp]\npath = /tmp',
    };
    const args = ['--log.file=x', '-c', 'a.conf'];
    expect(load(files, { args }).ignored).toEqual(['log.file', 'temp.path', 'ssl.cipher-list']);
  });

  it('may set a secret, which is in no part of the result', () => {
    const file = '[server]\njwt-secret = s3cr3t\n[rocksdb]\nencryption-keyfile = s3cr3t\n';
    expect(JSON.stringify(loadFile(file))).not.toContain('s3cr3t');
  });

  it.each<[string, string, string]>([
    [
      'a misspelt option of the reference server',
      '[server]\nauthentification = true',
      'unknown option "server.authentification"',
    ],
    [
      'a misspelt role',
      '[cluster]\nrole = COORDINATOR',
      'unknown option "cluster.role", did you mean cluster.my-role?',
    ],
    [
      'a word much longer than an option',
      '[cluster]\ncoordinator-configs = a',
      'unknown option "cluster.coordinator-configs"',
    ],
    ['two names in one', '[log]\na.b.c = 1', 'unknown option "a.b.c"'],
    ['an option that every object has', 'constructor.name = 1', 'unknown option "constructor.name"'],
    ['what changes the meaning of other values', 'define = HOST=a', 'unknown option "define"'],
  ])('is still refused for %s', (_, content, message) => {
    const { problems } = fileError(content);
    expect(problems.map((problem) => problem.message)).toEqual([message]);
  });

  it('that is refused says once, at the end, where the options are named', () => {
    const file = '[sever]\nrole = 1\nthreads = 2\n[server]\nendpiont = tcp://a:1\n';
    const lines = fileError(file).message.split('\n  ');
    expect(lines.slice(0, 4)).toEqual([
      '3 problems in the configuration:',
      '/conf/a.conf:2: "role": unknown option "sever.role"',
      '/conf/a.conf:3: "threads": unknown option "sever.threads"',
      '/conf/a.conf:5: "endpiont": unknown option "server.endpiont", did you mean server.endpoint?',
    ]);
    expect(lines.slice(4)).toEqual(['see --help']);
  });

  it('takes the old option coordinator-config for what it was, and not for cluster.coordinator', () => {
    const file = '[cluster]\ncoordinator-config = /etc/coordinator.conf';
    expect(loadFile(file)).toMatchObject({
      coordinators: [],
      ignored: ['cluster.coordinator-config'],
    });
  });
});

describe('a command line of the reference server', () => {
  it.each<[string, string, string[]]>([
    [
      'a single server',
      '--server.endpoint tcp://0.0.0.0:8529 --server.authentication false',
      ['server.authentication'],
    ],
    [
      'a container',
      '--server.endpoint tcp://0.0.0.0:8529 --server.jwt-secret s3cr3t --database.directory /data --log.foreground-tty --server.statistics=false',
      ['server.jwt-secret', 'database.directory', 'log.foreground-tty', 'server.statistics'],
    ],
    [
      'a service',
      '--uid arangodb --gid arangodb --pid-file /run/arangod.pid --temp.path /tmp --log.level requests=trace --server.endpoint tcp://0.0.0.0:8529 --supervisor --daemon',
      ['uid', 'gid', 'pid-file', 'temp.path', 'log.level', 'supervisor', 'daemon'],
    ],
    [
      'one that logs to its terminal',
      '--log.output - --log.color true --rocksdb.max-total-wal-size=1024000 --server.endpoint tcp://0.0.0.0:8529',
      ['log.output', 'log.color', 'rocksdb.max-total-wal-size'],
    ],
  ])('of %s is read', (_, line, ignored) => {
    const loaded = load({}, { args: line.split(' ') });
    expect(loaded).toMatchObject({ endpoints: ['tcp://0.0.0.0:8529'], ignored });
    expect(JSON.stringify(loaded)).not.toContain('s3cr3t');
  });

  it.each(['--check-configuration', '--version-json', '--dump-options', '-D', '--console'])(
    'is refused for %s: it does not ask for a server, or changes other values',
    (argument) => expect(loadError({}, { args: [argument] }).problems[0]?.message).toBe(`unknown option "${argument}"`),
  );

  it.each([
    ['-c', 'a.conf'],
    ['-c=a.conf'],
    ['--config', 'a.conf'],
    ['--config=a.conf'],
    ['--configuration', 'a.conf'],
  ])('names its file by %s %s', (...args) =>
    expect(load({ 'a.conf': 'server.endpoint = tcp://a:1' }, { args }).endpoints).toEqual(['tcp://a:1']),
  );

  it.each([
    ['-ca.conf', 'command line: "-ca.conf": unknown option "-ca.conf" (see --help)'],
    ['-c', 'command line: "-c": the option needs a value, FILE: read this file, or none'],
    ['--confi=a.conf', 'command line: "--confi": unknown option "--confi" (see --help)'],
  ])('is refused for %s', (argument, message) =>
    expect(loadError({}, { args: [argument] }).message.split(';')[0]).toBe(message),
  );
});
