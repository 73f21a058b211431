import type { ServerOptions } from '../../lib/config/index.js';
import { ALLOWED_SCHEMES, fileError, load, loadError } from '../support/process/config-folder.js';

const GATEWAY = ['--cluster.my-role=COORDINATOR', '--cluster.upstream=http://10.0.0.11:8529'];
const NEEDS_LIST =
  'needs a list: one of cluster.coordinator, cluster.agency-endpoint, cluster.my-srv-name, cluster.upstream';
const NEEDS_ROLE = 'needs cluster.my-role: COORDINATOR, DBSERVER, PRIMARY or AGENT';

describe('the role', () => {
  it.each([
    ['SINGLE', 'single'],
    ['COORDINATOR', 'coordinator'],
    ['DBSERVER', 'dbserver'],
    ['PRIMARY', 'dbserver'],
    ['AGENT', 'agent'],
    ['coordinator', 'coordinator'],
    ['DBServer', 'dbserver'],
  ])('%s is %s', (written, role) => {
    const { role: read, sources } = load({}, { args: ['--cluster.my-role', written] });
    expect(read).toBe(role);
    expect(sources['cluster.my-role']).toEqual(['command line']);
  });

  it.each(['MASTER', 'constructor', 'COORDINATOR '])('%j is refused', (written) =>
    expect(loadError({}, { args: [`--cluster.my-role=${written}`] }).message).toBe(
      `command line: "--cluster.my-role=${written}": "${written}" is not a role: it is none of SINGLE, COORDINATOR, DBSERVER, PRIMARY, AGENT`,
    ),
  );
});

describe('a list of Coordinators', () => {
  it.each<[string, string[], Partial<ServerOptions>]>([
    [
      'may be fixed',
      [
        '--cluster.my-role=COORDINATOR',
        '--cluster.coordinator',
        'tcp://a:1',
        '--cluster.coordinator=https://b',
        '--cluster.coordinator=tcp://a:1',
      ],
      { role: 'coordinator', coordinators: ['tcp://a:1', 'ssl://b:8529'], agencyEndpoints: [] },
    ],
    [
      'may come from an agency',
      [
        '--cluster.my-role=COORDINATOR',
        '--cluster.my-address=tcp://a:1',
        '--cluster.agency-endpoint',
        'http://127.0.0.1:2379',
        '--cluster.agency-endpoint=https://[::1]:2379',
      ],
      {
        role: 'coordinator',
        myAddress: 'tcp://a:1',
        agencyEndpoints: ['http://127.0.0.1:2379', 'https://[::1]:2379'],
      },
    ],
    [
      'is known to a DB-Server too',
      ['--cluster.my-role=DBSERVER', '--cluster.my-address=tcp://a:1', '--cluster.agency-endpoint=http://e:2379'],
      { role: 'dbserver', agencyEndpoints: ['http://e:2379'] },
    ],
    [
      'may be the business of the host application',
      ['--cluster.my-role=COORDINATOR'],
      { role: 'coordinator', coordinators: [] },
    ],
  ])('%s', (_, args, expected) => expect(load({}, { args })).toMatchObject(expected));

  it('is looked at only where everything else is right', () => {
    const args = ['--cluster.coordinator=tcp://a:1', 'x'];
    expect(loadError({}, { args }).message).toBe('command line: "x": unexpected argument');
  });

  it.each<[string, string[], string]>([
    [
      'a fixed one without a role',
      ['--cluster.coordinator', 'tcp://a:1'],
      `command line: "--cluster.coordinator tcp://a:1": cluster.coordinator ${NEEDS_ROLE}`,
    ],
    [
      'an SRV name without a role',
      ['--cluster.my-srv-name=_a._tcp.example'],
      `command line: "--cluster.my-srv-name=_a._tcp.example": cluster.my-srv-name ${NEEDS_ROLE}`,
    ],
    [
      'an agency without an address',
      ['--cluster.my-role=COORDINATOR', '--cluster.agency-endpoint=http://e:2379'],
      'command line: "--cluster.agency-endpoint=http://e:2379": cluster.agency-endpoint needs cluster.my-address, to register there',
    ],
    [
      'an agency without a role and an address',
      ['--cluster.agency-endpoint=http://e:2379'],
      [
        '2 problems in the configuration:',
        `command line: "--cluster.agency-endpoint=http://e:2379": cluster.agency-endpoint ${NEEDS_ROLE}`,
        'command line: "--cluster.agency-endpoint=http://e:2379": cluster.agency-endpoint needs cluster.my-address, to register there',
      ].join('\n  '),
    ],
    [
      'a fixed one beside an SRV name',
      ['--cluster.my-role=COORDINATOR', '--cluster.my-srv-name=_a._tcp.example', '--cluster.coordinator=tcp://a:1'],
      'command line: "--cluster.my-srv-name=_a._tcp.example": cluster.coordinator gives the list already: only one of cluster.coordinator, cluster.agency-endpoint, cluster.my-srv-name, cluster.upstream can',
    ],
    [
      'an upstream beside an SRV name',
      ['--cluster.my-role=COORDINATOR', '--cluster.my-srv-name=_a._tcp.example', '--cluster.upstream=http://a'],
      'command line: "--cluster.upstream=http://a": cluster.my-srv-name gives the list already: only one of cluster.coordinator, cluster.agency-endpoint, cluster.my-srv-name, cluster.upstream can',
    ],
    [
      'an upstream without a role',
      ['--cluster.upstream=http://a'],
      `command line: "--cluster.upstream=http://a": cluster.upstream ${NEEDS_ROLE}`,
    ],
    [
      'two translations of one endpoint',
      ['--cluster.translate=tcp://a=tcp://b', '--cluster.translate=http://A:8529/=tcp://c', ...GATEWAY],
      'command line: "--cluster.translate=http://A:8529/=tcp://c": another rule of cluster.translate is for "tcp://a:8529" already',
    ],
    [
      'translation and health checks without a list',
      ['--cluster.my-role=COORDINATOR', '--cluster.translate=*=tcp://b', '--cluster.health-check=true'],
      [
        '2 problems in the configuration:',
        `command line: "--cluster.translate=*=tcp://b": cluster.translate ${NEEDS_LIST}`,
        `command line: "--cluster.health-check=true": cluster.health-check ${NEEDS_LIST}`,
      ].join('\n  '),
    ],
  ])('is refused for %s', (_, args, message) => expect(loadError({}, { args }).message).toBe(message));

  it('needs none to say that there are no health checks', () =>
    expect(load({}, { args: ['--cluster.health-check=false'] })).toMatchObject({ healthCheck: false }));

  it('is refused with the line of the file', () =>
    expect(fileError('[cluster]\ncoordinator = tcp://a:1\n').message).toBe(
      `/conf/a.conf:2: "coordinator = tcp://a:1": cluster.coordinator ${NEEDS_ROLE}`,
    ));
});

describe('an agency endpoint', () => {
  it.each([
    ['http://127.0.0.1:2379', 'http://127.0.0.1:2379'],
    ['https://etcd.example:2379', 'https://etcd.example:2379'],
    ['http://[::1]:2379', 'http://[::1]:2379'],
    ['HTTP://ETCD:2379/', 'http://etcd:2379'],
    ['tcp://etcd:2379', 'http://etcd:2379'],
    ['ssl://etcd:2379', 'https://etcd:2379'],
    ['http+ssl://etcd:2379', 'https://etcd:2379'],
  ])('%s is asked at %s', (written, address) => {
    const args = ['--cluster.my-role=AGENT', '--cluster.my-address=tcp://a:1', '--cluster.agency-endpoint', written];
    expect(load({}, { args }).agencyEndpoints).toEqual([address]);
  });

  it.each([
    ['http://etcd', 'an agency needs its port, 2379 for etcd'],
    ['http://[::1]', 'an agency needs its port, 2379 for etcd'],
    ['unix:///run/etcd:2379', 'an agency is not reached through a unix socket'],
    ['http://etcd:2379/v3', 'it has a path, a query or a fragment'],
    ['etcd:2379', 'it has no "<scheme>://"'],
  ])('%s is refused: %s', (written, reason) =>
    expect(loadError({}, { args: [`--cluster.agency-endpoint=${written}`] }).message).toBe(
      `command line: "--cluster.agency-endpoint=${written}": "${written}" is not an endpoint: ${reason}; ${ALLOWED_SCHEMES}`,
    ),
  );
});

describe('an SRV name', () => {
  it.each([
    '_arangodb._tcp.example.com',
    '_http._tcp.web.default.svc.cluster.local',
    'arangodb.service.consul',
    '_a._tcp.x',
    '_A._tcp.Example.',
  ])('%s is taken in lower case and without a final dot', (name) => {
    const { srvName } = load({}, { args: ['--cluster.my-role=COORDINATOR', '--cluster.my-srv-name', name] });
    expect(srvName).toBe(name.toLowerCase().replace(/\.$/, ''));
  });

  it.each(['tcp://h:1', '127.0.0.1', '::1', 'a..b', 'a..', '.', 'a b', 'a b.com.', `${'a'.repeat(64)}.example`])(
    '%s is refused',
    (name) =>
      expect(loadError({}, { args: [`--cluster.my-srv-name=${name}`] }).message).toBe(
        `command line: "--cluster.my-srv-name=${name}": "${name}" is not an SRV name: it is not a DNS name, as _arangodb._tcp.example.com`,
      ),
  );
});

describe('a DNS server', () => {
  const args = (server: string): string[] => [
    '--cluster.my-role=COORDINATOR',
    '--cluster.my-srv-name=_a._tcp.example',
    `--cluster.dns-server=${server}`,
  ];

  it.each([
    '10.0.0.53',
    '10.0.0.53:1',
    '10.0.0.53:8600',
    '10.0.0.53:65535',
    'fd00::53',
    '[fd00::53]',
    '[fd00::53]:8600',
  ])('%s is kept as it is written', (server) => expect(load({}, { args: args(server) }).dnsServers).toEqual([server]));

  it.each([
    'dns.example',
    '10.0.0.53:0',
    '[fd00::53]:0',
    '[fd00::53]:65536',
    '[fd00::53]:53x',
    '[10.0.0.256]:53',
    'tcp://10.0.0.53',
  ])('%s is refused', (server) =>
    expect(loadError({}, { args: args(server) }).message).toBe(
      `command line: "--cluster.dns-server=${server}": "${server}" is not a DNS server: it is not an IP address, or one with a port, as 10.0.0.53:8600`,
    ),
  );
});
