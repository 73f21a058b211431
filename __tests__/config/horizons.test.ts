import { load, loadError } from '../support/process/config-folder.js';

const LIST = ['--cluster.my-role=COORDINATOR', '--cluster.coordinator=tcp://10.0.0.11'];
const SERVED = [
  '--server.endpoint=tcp://0.0.0.0:8529',
  '--server.endpoint=ssl://0.0.0.0:8530',
  '--server.endpoint=unix:///run/e.sock',
];
const horizons = (...args: string[]) => load({}, { args: [...LIST, ...args] }).horizons;
const refusals = (args: readonly string[], file = ''): string[] =>
  loadError({ 'a.conf': file }, { args: [...LIST, ...SERVED, ...args], configFile: 'a.conf' }).message.split('\n  ');

describe('A horizon', () => {
  it('has a name in its options, conditions and rules', () => {
    const file = `
      [horizon.inside]
      network = 10.0.0.0/8
      network = fd00::/8
      translate-unmatched = keep
      [horizon.vpn-2]
      host = DB.Example.
      host = [0::1]
      endpoint = http://0.0.0.0
      translate = tcp://10.0.0.11=tcp://vpn`;
    const options = load({ 'a.conf': file }, { args: [...LIST, ...SERVED], configFile: 'a.conf' });
    expect(options.horizons).toEqual([
      {
        name: 'inside',
        networks: ['10.0.0.0/8', 'fd00::/8'],
        hosts: [],
        endpoints: [],
        translations: [],
        translateUnmatched: 'keep',
      },
      {
        name: 'vpn-2',
        networks: [],
        hosts: ['db.example', '[::1]'],
        endpoints: ['tcp://0.0.0.0:8529'],
        translations: [['tcp://10.0.0.11:8529', 'tcp://vpn:8529']],
      },
    ]);
    expect(options.sources).toMatchObject({ 'horizon.inside.network': ['/conf/a.conf:3', '/conf/a.conf:4'] });
  });

  it('stands where the file has it: what replaces its values elsewhere, and what is added there, come behind', () => {
    const files = { 'a.conf': 'horizon.b.host = b\nhorizon.a.host = a', 'a.conf.local': '[horizon.d]\nhost = d' };
    const options = {
      args: [...LIST, '--horizon.c.host=c', '--horizon.a.host=a2'],
      configFile: 'a.conf',
      env: { ENDPOINT_LISTING_HORIZON_E_1_HOST: 'e e2' },
    };
    expect(load(files, options).horizons.map(({ name, hosts }) => [name, ...hosts])).toEqual([
      ['b', 'b'],
      ['a', 'a2'],
      ['d', 'd'],
      ['e-1', 'e', 'e2'],
      ['c', 'c'],
    ]);
  });

  it.each<[string, string[], string[]?]>([
    ['overlap', ['--horizon.a.network=10.1.0.0/16', '--horizon.b.network=10.0.0.0/8']],
    ['are halves', ['--horizon.a.network=10.0.0.0/9', '--horizon.b.network=10.0.0.0/8']],
    ['differ by a name', ['--horizon.a.network=10.0.0.0/8', '--horizon.a.host=a', '--horizon.b.network=10.0.0.0/8']],
    ['differ by the endpoint', ['--horizon.a.endpoint=ssl://0.0.0.0:8530', '--horizon.b.host=b'], SERVED],
    [
      'have a socket file left',
      ['--horizon.a.network=0.0.0.0/0', '--horizon.a.network=::/0', '--horizon.b.host=b'],
      SERVED,
    ],
  ])('may be reached where two of them %s', (_, args, served = []) =>
    expect(horizons(...served, ...args)).toHaveLength(2),
  );

  it.each<[string, string[], string]>([
    [
      'needs a condition',
      ['--horizon.a.translate=*=tcp://a'],
      'horizon.a has no condition: give it a network, a host or an endpoint',
    ],
    [
      'needs a network within those that are left',
      ['--horizon.a.network=10.0.0.0/8', '--horizon.b.network=::ffff:10.1.0.0/112', '--horizon.b.network=10.0.0.0/7'],
      'no client can be in horizon.b by its network "::ffff:10.1.0.0/112": they are all in horizon.a already',
    ],
    [
      'needs a network that is not two others',
      ['--horizon.a.network=10.0.0.0/9', '--horizon.b.network=10.128.0.0/9', '--horizon.c.network=10.0.0.0/8'],
      'no client can be in horizon.c by its network "10.0.0.0/8": they are all in earlier horizons',
    ],
    [
      'needs a name that no earlier one has',
      ['--horizon.a.host=a', '--horizon.b.host=A.', '--horizon.b.network=::1'],
      'no client can be in horizon.b by its host "a": they are all in horizon.a already',
    ],
    [
      'needs an endpoint of this server',
      ['--horizon.a.endpoint=tcp://0.0.0.0:1'],
      'no client can be in horizon.a by its endpoint "tcp://0.0.0.0:1": it is none of server.endpoint',
    ],
    [
      'needs an endpoint whose clients have addresses, for a network',
      [
        '--horizon.a.endpoint=unix:///run/e.sock',
        '--horizon.a.network=::/0',
        '--horizon.a.endpoint=ssl://0.0.0.0:8530',
      ],
      'no client can be in horizon.a by its endpoint "unix:///run/e.sock": a socket file has no addresses',
    ],
    [
      'needs one rule for each endpoint',
      ['--horizon.a.host=a', '--horizon.a.translate=tcp://a=tcp://b', '--horizon.a.translate=tcp://A=tcp://c'],
      'another rule of horizon.a.translate is for "tcp://a:8529" already',
    ],
    [
      'needs a name in small letters',
      ['--horizon.In_side.host=a'],
      '"In_side" is not the name of a horizon: it has other characters than a to z, 0 to 9 and "-" between them',
    ],
    [
      'needs a host without a port',
      ['--horizon.a.host=a:8529'],
      '"a:8529" is not a host: it is neither a host name nor an IP address, without a port; IPv6 has brackets',
    ],
    [
      'needs a host without a zone',
      ['--horizon.a.host=[fe80::1%eth0]'],
      '"[fe80::1%eth0]" is not a host: it is neither a host name nor an IP address, without a port; IPv6 has brackets',
    ],
    ['needs a name', ['--horizon.host=a'], 'unknown option "--horizon.host" (see --help)'],
    [
      'needs a name without dots',
      ['--horizon.a.b.host=a'],
      'unknown option "--horizon.a.b.host", did you mean --horizon.NAME.host? (see --help)',
    ],
    [
      'needs an option that exists',
      ['--horizon.a.netwrk=10.0.0.0/8'],
      'unknown option "--horizon.a.netwrk", did you mean --horizon.a.network? (see --help)',
    ],
  ])('%s', (_, args, problem) =>
    expect(
      refusals(args)
        .at(-1)
        ?.replace(/^command line: ".*?": /, ''),
    ).toBe(problem),
  );

  it('needs a list', () =>
    expect(loadError({}, { args: ['--horizon.a.host=a'] }).problems[0]?.message).toBe(
      'horizon.a needs a list: one of cluster.coordinator, cluster.agency-endpoint, cluster.my-srv-name, cluster.upstream',
    ));

  it('has one section in a file, which is not empty, and one name in the environment', () => {
    const file = '[horizon.a]\nhost = a\n[horizon.b]\n[horizon.a]\nnetwork = ::1\n[horizon.c:enterprise]';
    expect(refusals([], file)).toEqual(['/conf/a.conf:4: "[horizon.a]": another section is for horizon.a already']);
    expect(refusals([], '[horizon.b]')).toEqual([
      '/conf/a.conf:1: "[horizon.b]": horizon.b has no condition: give it a network, a host or an endpoint',
    ]);
    expect(loadError({}, { args: [], env: { ENDPOINT_LISTING_HORIZON_INSIDE_NETWRK: '::1' } }).message).toBe(
      'ENDPOINT_LISTING_HORIZON_INSIDE_NETWRK: unknown variable, did you mean ENDPOINT_LISTING_HORIZON_INSIDE_NETWORK? (see --help)',
    );
  });
});

describe('A trusted proxy', () =>
  it.each(['0.0.0.0/0', '::/00'])('cannot be everybody, as %s', (range) =>
    expect(refusals([`--http.trusted-proxy=${range}`])[0]).toContain(
      `"${range}" is not a range of proxies: it has every address`,
    ),
  ));
