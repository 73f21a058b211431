import { SERVER_OPTIONS } from '../../lib/config/index.js';
import { load, loadError, loadFile } from '../support/process/config-folder.js';

describe('SERVER_OPTIONS', () => {
  it('describes each option: name, value, where it may stand, meaning', () =>
    expect(
      SERVER_OPTIONS.filter(({ name }) => ['page', 'cluster.coordinator', 'configuration'].includes(name)),
    ).toEqual([
      {
        name: 'cluster.coordinator',
        placeholder: 'ENDPOINT',
        repeatable: true,
        commandLineOnly: false,
        description: 'list this Coordinator (a fixed list)',
        field: 'coordinators',
        reload: 'with the list',
      },
      {
        name: 'page',
        placeholder: 'BOOL',
        repeatable: false,
        commandLineOnly: false,
        description: 'true: show the listings to people, at /; put authentication before it (default: false)',
        field: 'page',
        reload: 'at a restart',
      },
      {
        name: 'configuration',
        short: 'c',
        placeholder: 'FILE',
        repeatable: false,
        commandLineOnly: true,
        description: 'read this file, or none',
      },
    ]));

  it('calls a value that is true or false BOOL, and reads all words for it wherever it stands', () => {
    expect(
      SERVER_OPTIONS.filter(({ placeholder }) => placeholder?.startsWith('BOOL')).map((option) => option.placeholder),
    ).toEqual(['BOOL', 'BOOL', 'BOOL']);
    for (const [word, page] of [
      ['yes', true],
      ['off', false],
      ['TRUE', true],
    ] as const)
      expect(load({}, { args: [`--page=${word}`] })).toMatchObject({ page });
  });

  it('names a field of the result for each value, and none twice', () => {
    const fields = SERVER_OPTIONS.flatMap(({ name, field }) => (name.includes('NAME') ? [] : (field ?? [])));
    expect(new Set(fields).size).toBe(fields.length);
  });

  it('leaves out what an option has not got', () => {
    const keys = (name: string): string[] => Object.keys(SERVER_OPTIONS.find((option) => option.name === name) ?? {});
    expect(keys('version')).toEqual(['name', 'repeatable', 'commandLineOnly', 'description']);
    expect(keys('help')).toEqual(['name', 'short', 'repeatable', 'commandLineOnly', 'description']);
  });

  it('is frozen', () => {
    expect(Object.isFrozen(SERVER_OPTIONS)).toBe(true);
    expect(SERVER_OPTIONS.every(Object.isFrozen)).toBe(true);
  });
});

describe('An option', () => {
  it.each<[string, object]>([
    ['--cluster.agency-user=listing', { agencyUser: 'listing' }],
    ['--cluster.agency-cafile=ca.pem', { agencyCafile: '/conf/ca.pem' }],
    ['--cluster.agency-keyfile=/client.pem', { agencyKeyfile: '/client.pem' }],
    ['--cluster.agency-prefix=/mine/', { agencyPrefix: '/mine/' }],
    ['--cluster.agency-ttl=1', { agencyTtlSeconds: 1 }],
    ['--cluster.agency-ttl=86400', { agencyTtlSeconds: 86_400 }],
    ['--cluster.srv-scheme=tcp', { srvScheme: 'tcp' }],
    ['--cluster.srv-scheme=SSL', { srvScheme: 'ssl' }],
    ['--cluster.upstream-database=_system', { upstreamDatabase: '_system' }],
    ['--cluster.upstream-cafile=ca.pem', { upstreamCafile: '/conf/ca.pem' }],
    ['--cluster.upstream-keyfile=/client.pem', { upstreamKeyfile: '/client.pem' }],
    ['--cluster.health-check=false', { healthCheck: false }],
    ['--cluster.health-check=OFF', { healthCheck: false }],
    ['--cluster.health-check-path=/_api/version', { healthCheckPath: '/_api/version' }],
    ['--cluster.health-check-path=tcp', { healthCheckPath: 'tcp' }],
    ['--cluster.health-check-interval=1', { healthCheckSeconds: 1 }],
    ['--cluster.health-check-cafile=ca.pem', { healthCheckCafile: '/conf/ca.pem' }],
    ['--cluster.health-check-allow=10.0.0.0/8', { healthCheckAllow: ['10.0.0.0/8'] }],
    ['--cluster.health-check-allow=::1', { healthCheckAllow: ['::1'] }],
    [
      '--cluster.translate=HTTP://10.0.0.11=https://DB1.example:443',
      { translations: [['tcp://10.0.0.11:8529', 'ssl://db1.example:443']] },
    ],
    ['--cluster.translate=*=tcp://lb', { translations: [['*', 'tcp://lb:8529']] }],
    ['--cluster.translate=unix:///run/a=b=tcp://lb', { translations: [['unix:///run/a=b', 'tcp://lb:8529']] }],
    ['--cluster.translate-unmatched=Keep', { translateUnmatched: 'keep' }],
    ['--cluster.wait=0', { waitSeconds: 0 }],
    ['--shutdown-delay=86400', { shutdownDelaySeconds: 86_400 }],
    ['--log.format=JSON', { logFormat: 'json' }],
    ['--log.format=text', { logFormat: 'text' }],
    ['--log.level=error', { logLevel: 'error' }],
    ['--log.level=Fatal', { logLevel: 'error' }],
    ['--log.level=warn', { logLevel: 'warn' }],
    ['--log.level=WARNING', { logLevel: 'warn' }],
    ['--log.level=INFO', { logLevel: 'info' }],
    ['--log.level=debug', { logLevel: 'debug' }],
    ['--log.level=trace', { logLevel: 'debug' }],
  ])('%s is read', (argument, expected) => {
    const list = ['--cluster.my-role=COORDINATOR', '--cluster.coordinator=tcp://a'];
    expect(load({}, { args: [...list, argument] })).toMatchObject(expected);
  });

  it('without a section stands outside of every section in a file', () => {
    const file = 'shutdown-delay = 7\n[server]\nendpoint = tcp://a:1\n';
    expect(loadFile(file)).toMatchObject({ shutdownDelaySeconds: 7 });
  });

  it.each([
    ['--cluster.agency-ttl=0', '"0" is not a number of seconds: it is not a whole number from 1 to 86400'],
    ['--cluster.agency-ttl=86401', '"86401" is not a number of seconds: it is not a whole number from 1 to 86400'],
    ['--cluster.upstream-database=..', '".." is not a database name: a URL cannot name it'],
    ['--cluster.health-check=maybe', '"maybe" is not a boolean: it is none of true, false, on, off, yes, no'],
    [
      '--cluster.health-check-path=status',
      '"status" is not a path: it does not begin with "/", or has a blank or a character outside ASCII',
    ],
    ['--cluster.health-check-interval=0', '"0" is not a number of seconds: it is not a whole number from 1 to 86400'],
    [
      '--cluster.health-check-allow=10.0.0.0/33',
      '"10.0.0.0/33" is not an IP range: it is neither an IP address nor a CIDR range, as 10.0.0.0/8',
    ],
    [
      '--cluster.translate=tcp://a',
      '"tcp://a" is not a translation: it has no "=", as tcp://10.0.0.11:8529=ssl://db1.example:443',
    ],
    ['--cluster.translate-unmatched=drop', '"drop" is not what becomes of an endpoint: it is none of skip, keep'],
    ['--cluster.wait=1.5', '"1.5" is not a number of seconds: it is not a whole number from 0 to 86400'],
    ['--cluster.wait=-1', '"-1" is not a number of seconds: it is not a whole number from 0 to 86400'],
    ['--shutdown-delay=1e3', '"1e3" is not a number of seconds: it is not a whole number from 0 to 86400'],
    ['--cluster.srv-scheme=http', '"http" is not a scheme: it is none of tcp, ssl'],
    ['--log.format=xml', '"xml" is not a log format: it is none of text, json'],
    ['--log.level=loud', '"loud" is not a log level: it is none of error, warn, info, debug, fatal, warning, trace'],
    ['--cluster.agency-user=a\tb', '"a\\tb" is not a user name: it contains a control character'],
  ])('%s is refused', (argument, message) =>
    expect(loadError({}, { args: [argument] }).problems).toEqual([{ text: JSON.stringify(argument), message }]),
  );
});

describe('An agency', () =>
  it('may have an absolute name, whose final dot goes', () => {
    const args = ['--cluster.my-role=COORDINATOR', '--cluster.my-address=tcp://a.:1'];
    expect(
      load({}, { args: [...args, '--cluster.agency-endpoint', 'tcp://etcd.db.svc.cluster.local.:2379'] }),
    ).toMatchObject({ agencyEndpoints: ['http://etcd.db.svc.cluster.local:2379'], myAddress: 'tcp://a:1' });
  }));

describe('An upstream', () => {
  const args = (url: string): string[] => ['--cluster.my-role=COORDINATOR', `--cluster.upstream=${url}`];

  it.each(['http://10.0.0.11:8529', 'https://db.example/base', 'tcp://10.0.0.11', 'ssl://[::1]:1', 'http://a.:1'])(
    'may be %s',
    (url) => expect(load({}, { args: args(url) })).toMatchObject({ upstreams: [url] }),
  );

  it.each([
    ['ftp://a', /^"ftp:\/\/a" is not an endpoint: its scheme is unknown/],
    ['http://a..', /^"http:\/\/a\.\." is not an upstream: the host of the url "http:\/\/a\.\.\/" is no host name$/],
    [
      'http://a?token=openSesame',
      /^"http:\/\/a\?\*\*\*" is not an upstream: the url must have no query and no fragment$/,
    ],
    ['tcp://a:1?token=openSesame', /^"tcp:\/\/a:1\?\*\*\*" is not an endpoint: /],
    ['unix:///run/db.sock', /is a unix socket: only TCP can be asked$/],
    [
      'http://root:openSesame@a',
      /^"http:\/\/\*\*\*@a" is not an upstream: a user belongs into ENDPOINT_LISTING_UPSTREAM_AUTHORIZATION$/,
    ],
  ])('may not be %s', (url, message) => {
    const error = loadError({}, { args: args(url) });
    expect(error.problems[0]?.message).toMatch(message);
    expect(error.message).not.toContain('openSesame');
  });
});
