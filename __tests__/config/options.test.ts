import { SERVER_OPTIONS } from '../../lib/config/index.js';
import { load, loadError } from '../support/process/config-folder.js';

describe('SERVER_OPTIONS', () => {
  it('describes every option, in the order of a help text', () => {
    expect(
      SERVER_OPTIONS.map(({ name, short = '', placeholder = '', repeatable, commandLineOnly, description }) =>
        [name, short, placeholder, repeatable ? 'repeatable' : '', commandLineOnly ? 'no file' : '', description].join(
          '|',
        ),
      ),
    ).toEqual([
      'server.endpoint||ENDPOINT|repeatable||listen here (default: tcp://127.0.0.1:8529); port 0: any free port',
      'ssl.keyfile||FILE|||PEM file with the certificate chain and the private key for ssl:// endpoints',
      'cluster.my-role||ROLE|||SINGLE, COORDINATOR, DBSERVER, PRIMARY or AGENT (default: SINGLE)',
      'cluster.coordinator||ENDPOINT|repeatable||list this Coordinator (a fixed list)',
      'cluster.agency-endpoint||URL|repeatable||list the Coordinators registered in this etcd',
      'cluster.agency-user||NAME|||etcd user; set the password in ENDPOINT_LISTING_AGENCY_PASSWORD',
      "cluster.agency-cafile||FILE|||PEM file with the authority that signed etcd's certificate",
      'cluster.agency-keyfile||FILE|||PEM file with a client certificate for etcd and its private key',
      'cluster.agency-prefix||TEXT|||prefix of the keys in etcd (default: /coordinators/)',
      'cluster.agency-ttl||SECONDS|||how long etcd keeps listing this server after it dies (default: 15)',
      'cluster.my-srv-name||NAME|||list the Coordinators in the SRV records of this name',
      'cluster.srv-scheme||SCHEME|||scheme of the endpoints from DNS, tcp or ssl (default: tcp)',
      'cluster.dns-server||ADDRESS|repeatable||DNS server to ask for the SRV name (default: those of the system)',
      'cluster.upstream||URL|repeatable||follow the listing of this server; set its Authorization header in ENDPOINT_LISTING_UPSTREAM_AUTHORIZATION',
      'cluster.upstream-database||NAME|||database of the upstream to ask in (default: none)',
      "cluster.upstream-cafile||FILE|||PEM file with the authority that signed the upstream's certificate",
      'cluster.upstream-keyfile||FILE|||PEM file with a client certificate for the upstream and its private key',
      'cluster.health-check||BOOLEAN|||true to keep dead endpoints off the list (default: false)',
      'cluster.health-check-path||PATH|||path to GET, or tcp to connect only (default: /_admin/server/availability)',
      'cluster.health-check-interval||SECONDS|||time between two checks of an endpoint (default: 5)',
      'cluster.health-check-cafile||FILE|||PEM file with the authority that signed the certificates of ssl:// endpoints',
      'cluster.health-check-allow||RANGE|repeatable||IP range that checks may connect to, as 10.0.0.0/8 (default: any)',
      'cluster.translate||FROM=TO|repeatable||list TO instead of FROM, a missing port is 8529; * as FROM matches every other endpoint',
      'cluster.translate-unmatched||WHAT|||skip or keep endpoints that no rule matches (default: skip)',
      'cluster.my-address||ENDPOINT|||the endpoint under which this server registers',
      'cluster.my-advertised-endpoint||ENDPOINT|||the endpoint that clients get instead of my-address',
      'cluster.wait||SECONDS|||retry for this long if the registry or the upstream does not answer at startup (default: 0)',
      'shutdown-delay||SECONDS|||keep serving for this long after leaving the list (default: 0)',
      'status.endpoint||ENDPOINT|repeatable||answer GET /ready and GET /metrics here (default: nowhere)',
      'page||BOOL|||true: show the listings to people, at /; put authentication before it (default: false)',
      'log.format||FORMAT|||text, or json: one JSON object for each event (default: text)',
      'log.level||LEVEL|||least severe level to log: error, warn, info or debug (default: info)',
      'configuration|c|FILE||no file|read this file, or none',
      'help|h|||no file|print this text',
      'version||||no file|print the version',
    ]);
  });

  it('names the field of the result that has the value', () => {
    const args = ['--cluster.agency-ttl=30', '--shutdown-delay=5', '--log.level=WARNING', '--cluster.srv-scheme=SSL'];
    expect(load({}, { args })).toMatchObject({
      agencyTtlSeconds: 30,
      shutdownDelaySeconds: 5,
      logLevel: 'warn',
      srvScheme: 'ssl',
    });
    const fields = SERVER_OPTIONS.flatMap(({ field }) => field ?? []);
    expect(fields).toHaveLength(32);
    expect(new Set(fields).size).toBe(32);
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
      { translations: ['tcp://10.0.0.11:8529=ssl://db1.example:443'] },
    ],
    ['--cluster.translate=*=tcp://lb', { translations: ['*=tcp://lb:8529'] }],
    ['--cluster.translate=unix:///run/a=b=tcp://lb', { translations: ['unix:///run/a=b=tcp://lb:8529'] }],
    ['--cluster.translate-unmatched=Keep', { translateUnmatched: 'keep' }],
    ['--cluster.wait=0', { waitSeconds: 0 }],
    ['--shutdown-delay=86400', { shutdownDelaySeconds: 86_400 }],
    ['--log.format=JSON', { logFormat: 'json' }],
    ['--log.format=text', { logFormat: 'text' }],
    ['--log.level=error', { logLevel: 'error' }],
    ['--log.level=Fatal', { logLevel: 'error' }],
    ['--log.level=warn', { logLevel: 'warn' }],
    ['--log.level=INFO', { logLevel: 'info' }],
    ['--log.level=debug', { logLevel: 'debug' }],
    ['--log.level=trace', { logLevel: 'debug' }],
  ])('%s is read', (argument, expected) => {
    const list = ['--cluster.my-role=COORDINATOR', '--cluster.coordinator=tcp://a'];
    expect(load({}, { args: [...list, argument] })).toMatchObject(expected);
  });

  it('without a section stands outside of every section in a file', () => {
    const file = 'shutdown-delay = 7\n[server]\nendpoint = tcp://a:1\n';
    expect(load({ 'a.conf': file }, { configFile: 'a.conf' })).toMatchObject({ shutdownDelaySeconds: 7 });
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
  ])('%s is refused', (argument, message) => {
    expect(loadError({}, { args: [argument] }).problems).toEqual([{ text: JSON.stringify(argument), message }]);
  });
});

describe('An agency', () => {
  it('may have an absolute name, whose final dot goes', () => {
    const args = ['--cluster.my-role=COORDINATOR', '--cluster.my-address=tcp://a.:1'];
    expect(
      load({}, { args: [...args, '--cluster.agency-endpoint', 'tcp://etcd.db.svc.cluster.local.:2379'] }),
    ).toMatchObject({ agencyEndpoints: ['http://etcd.db.svc.cluster.local:2379'], myAddress: 'tcp://a:1' });
  });
});

describe('An upstream', () => {
  const args = (url: string): string[] => ['--cluster.my-role=COORDINATOR', `--cluster.upstream=${url}`];

  it.each(['http://10.0.0.11:8529', 'https://db.example/base', 'tcp://10.0.0.11', 'ssl://[::1]:1', 'http://a.:1'])(
    'may be %s',
    (url) => {
      expect(load({}, { args: args(url) })).toMatchObject({ upstreams: [url] });
    },
  );

  it.each([
    ['ftp://a', /^"ftp:\/\/a" is not an endpoint: its scheme is unknown/],
    ['http://a?b', /^"http:\/\/a\?\*\*\*" is not an upstream: the url must have no query and no fragment$/],
    ['http://a..', /^"http:\/\/a\.\." is not an upstream: the host of the url "http:\/\/a\.\.\/" is no host name$/],
    ['http://a/?token=openSesame', /^"http:\/\/a\/\?\*\*\*" is not an upstream: /],
    ['tcp://a:1?token=openSesame', /^"tcp:\/\/a:1\?\*\*\*" is not an endpoint: /],
    ['unix:///run/db.sock', /is a unix socket, which fetch cannot reach$/],
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

describe('An empty value', () => {
  it.each([
    'cluster.upstream-database',
    'cluster.upstream-cafile',
    'cluster.upstream-keyfile',
    'cluster.health-check',
    'cluster.health-check-path',
    'cluster.health-check-interval',
    'cluster.health-check-cafile',
    'cluster.translate-unmatched',
    'ssl.keyfile',
    'cluster.my-address',
    'cluster.my-advertised-endpoint',
    'cluster.agency-user',
    'cluster.agency-cafile',
    'cluster.agency-keyfile',
    'cluster.agency-prefix',
    'cluster.agency-ttl',
    'cluster.my-srv-name',
    'cluster.srv-scheme',
    'cluster.wait',
    'shutdown-delay',
    'log.format',
    'log.level',
  ])('leaves %s unset', (name) => {
    const nothing = load({});
    expect(load({}, { args: [`--${name}=`] })).toEqual(nothing);
    expect(load({}, { args: [`--${name}`, ''] })).toEqual(nothing);
    expect(load({}, { args: [`--${name}=@NOT_SET@`] })).toEqual(nothing);
    expect(load({ 'a.conf': `${name} =\n` }, { configFile: 'a.conf' })).toEqual(nothing);
  });

  it('on the command line takes the place of the value in the file, as any other value does', () => {
    const files = { 'a.conf': '[cluster]\nmy-advertised-endpoint = tcp://public:1\n' };
    const args = ['--cluster.my-advertised-endpoint=', '--configuration', 'a.conf'];
    expect(load(files, { args })).not.toHaveProperty('advertisedEndpoint');
  });

  it('behind another value of the same option is the last one, and counts', () => {
    expect(load({}, { args: ['--ssl.keyfile=/a.pem', '--ssl.keyfile='] })).not.toHaveProperty('ssl');
  });

  it.each([
    'server.endpoint',
    'cluster.my-role',
    'cluster.coordinator',
    'cluster.agency-endpoint',
    'cluster.dns-server',
    'configuration',
  ])('is refused for %s: a list has no empty entry, and a missing variable changes no role', (name) => {
    expect(loadError({}, { args: [`--${name}=`] }).message).toBe(`command line: "--${name}=": the value is empty`);
  });
});
