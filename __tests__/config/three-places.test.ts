import fc from 'fast-check';
import { SERVER_OPTIONS, type ServerOptionName, type ServerOptions } from '../../lib/config/index.js';
import { load, loadError } from '../support/process/config-folder.js';

const inside = (name: string): string => name.replace('NAME', 'in-side');
const variableOf = (name: string): string => `ENDPOINT_LISTING_${inside(name).toUpperCase().replaceAll(/[.-]/g, '_')}`;
const withoutSources = (options: ServerOptions): unknown => ({ ...options, sources: {} });
const ofServer = SERVER_OPTIONS.filter(({ commandLineOnly }) => !commandLineOnly);
const described = (name: string): (typeof ofServer)[number] | undefined =>
  ofServer.find((option) => option.name === name);

/** Values that each option takes; beside them, what it needs to be valid. */
const VALUES: Readonly<Record<ServerOptionName, readonly string[]>> = {
  'server.endpoint': ['tcp://a:1', 'http@tcp://B', 'ssl://[::1]:0', 'unix:///run/e.sock'],
  'ssl.keyfile': ['/k.pem', 'k.pem', '/a@@b.pem'],
  'cluster.my-role': ['COORDINATOR', 'agent'],
  'cluster.coordinator': ['tcp://a', 'ssl://b:1'],
  'cluster.agency-endpoint': ['http://e:2379', 'ssl://e:1'],
  'cluster.agency-user': ['root'],
  'cluster.agency-cafile': ['/ca.pem'],
  'cluster.agency-keyfile': ['/c.pem'],
  'cluster.agency-prefix': ['/x/', '@PREFIX@'],
  'cluster.agency-ttl': ['30'],
  'cluster.my-srv-name': ['_a._tcp.example.com'],
  'cluster.srv-scheme': ['ssl'],
  'cluster.dns-server': ['10.0.0.53', '10.0.0.53:8600'],
  'cluster.upstream': ['http://a', 'tcp://b:1'],
  'cluster.upstream-database': ['shop'],
  'cluster.upstream-cafile': ['/ca.pem'],
  'cluster.upstream-keyfile': ['/c.pem'],
  'cluster.health-check': ['true', 'OFF'],
  'cluster.health-check-path': ['tcp', '/x'],
  'cluster.health-check-interval': ['1'],
  'cluster.health-check-cafile': ['/ca.pem'],
  'cluster.health-check-allow': ['10.0.0.0/8', '::1'],
  'cluster.translate': ['tcp://a=ssl://b', '*=tcp://lb'],
  'cluster.translate-unmatched': ['keep'],
  'horizon.NAME.network': ['10.0.0.0/8', '::1'],
  'horizon.NAME.host': ['Inner.Example.', '[::1]'],
  'horizon.NAME.endpoint': ['tcp://127.0.0.1:8529'],
  'horizon.NAME.translate': ['tcp://a=ssl://b', '*=tcp://lb'],
  'horizon.NAME.translate-unmatched': ['keep'],
  'http.trusted-proxy': ['10.0.0.1', 'fd00::/8'],
  'cluster.my-address': ['tcp://a'],
  'cluster.my-advertised-endpoint': ['https://out:443'],
  'cluster.wait': ['3'],
  'shutdown-delay': ['3'],
  'status.endpoint': ['tcp://127.0.0.1:8530'],
  'status.socket': ['/run/status.sock'],
  page: ['yes'],
  'log.format': ['json'],
  'log.time': ['no'],
  'log.level': ['Trace', 'requests=trace'],
};
const NAMES = Object.keys(VALUES) as ServerOptionName[];
const NEEDED = {
  'cluster.translate': { 'cluster.coordinator': 'tcp://a' },
  'cluster.health-check': { 'cluster.coordinator': 'tcp://a' },
  'cluster.agency-endpoint': { 'cluster.my-address': 'tcp://a' },
  ...Object.fromEntries(
    ['network', 'host', 'endpoint', 'translate', 'translate-unmatched'].map((part) => [
      `horizon.NAME.${part}`,
      { 'cluster.coordinator': 'tcp://a', [`horizon.in-side.${part === 'host' ? 'network' : 'host'}`]: '10.0.0.1' },
    ]),
  ),
} as Partial<Record<ServerOptionName, Record<string, string>>>;
const ENV = { PREFIX: '/p/' };

/** What else the option needs, on the command line. */
const others = (name: ServerOptionName): string[] =>
  Object.entries({ ...(name !== 'cluster.my-role' && { 'cluster.my-role': 'COORDINATOR' }), ...NEEDED[name] }).map(
    ([other, value]) => `--${other}=${value}`,
  );

const byEnvironment = (name: string, values: readonly string[], separator = ' ') => ({
  ...ENV,
  [variableOf(name)]: values.join(separator),
});
const byFile = (name: string, values: readonly string[]) => ({
  'a.conf': values.map((value) => `${inside(name)} = ${value}\n`).join(''),
});

describe('The same value by command line, environment and file', () => {
  it('gives the same options, for each option', () => {
    expect([...NAMES].sort()).toEqual(ofServer.map(({ name }) => name).sort());
    const given = fc.constantFrom(...NAMES).chain((name) => {
      const one = fc.constantFrom(...VALUES[name], '');
      const values =
        described(name)?.repeatable === true ? fc.shuffledSubarray([...VALUES[name]]) : one.map((value) => [value]);
      return fc.tuple(fc.constant(name), values, fc.constantFrom(' ', '\n', ' \t\r\n '));
    });
    fc.assert(
      fc.property(given, ([name, values, separator]) => {
        const list = values.length === 0 ? [''] : values;
        const more = others(name);
        const line = load({}, { args: [...more, ...list.map((value) => `--${inside(name)}=${value}`)], env: ENV });
        const file = load(byFile(name, list), { args: more, configFile: 'a.conf', env: ENV });
        const environment = load({}, { args: more, env: byEnvironment(name, values, separator) });
        expect(withoutSources(file)).toEqual(withoutSources(line));
        expect(withoutSources(environment)).toEqual(withoutSources(line));
      }),
      { numRuns: 300 },
    );
  });

  it.each(NAMES.filter((name) => name !== 'log.level'))(
    'is taken from the first of the three that gives %s, empty or not, and replaces the others',
    (name) => {
      const unset = load({}, { args: others(name) });
      const [first = '', last = ''] = [VALUES[name][0], VALUES[name].at(-1)];
      const files = byFile(name, [first]);
      const options = (args: string[], env: object = {}) =>
        withoutSources(
          load(files, { args: [...others(name), ...args], configFile: 'a.conf', env: { ...ENV, ...env } }),
        );
      const alone = withoutSources(load({}, { args: [...others(name), `--${inside(name)}=${last}`], env: ENV }));
      expect(options([], byEnvironment(name, [last]))).toEqual(alone);
      expect(options([`--${inside(name)}=${last}`], byEnvironment(name, [first]))).toEqual(alone);
      expect(options([`--${inside(name)}=`], byEnvironment(name, [first]))).toEqual(withoutSources(unset));
      expect(options([`--${inside(name)}`, ''])).toEqual(withoutSources(unset));
      expect(options([], { [variableOf(name)]: ' ' })).toEqual(withoutSources(unset));
    },
  );

  it('begins a list anew behind an empty value', () => {
    const args = ['--server.endpoint=tcp://a:1', '--server.endpoint=', '--server.endpoint=tcp://b:1'];
    expect(load({}, { args }).endpoints).toEqual(['tcp://b:1']);
  });

  it('has its source in the result', () => {
    const env = { ENDPOINT_LISTING_SERVER_ENDPOINT: 'tcp://a:1 tcp://b:1' };
    const variable = 'ENDPOINT_LISTING_SERVER_ENDPOINT';
    expect(load({}, { env }).sources['server.endpoint']).toEqual([variable, variable]);
  });
});

describe('The name of the configuration file', () => {
  const files = { 'a.conf': 'server.endpoint = tcp://a:1', 'b.conf': 'server.endpoint = tcp://b:1' };
  const env = { ENDPOINT_LISTING_CONFIGURATION: 'b.conf' };

  it.each<[string, string[], string]>([
    ['may come from the environment', [], 'tcp://b:1'],
    ['comes from the command line first', ['-c', 'a.conf'], 'tcp://a:1'],
    ['is that of the program where the command line empties it', ['--configuration='], 'tcp://a:1'],
  ])('%s', (_, args, endpoint) =>
    expect(load(files, { args, configFile: 'a.conf', env }).endpoints).toEqual([endpoint]),
  );
});

describe('A value that a variable which is not set leaves empty', () => {
  it.each(['server.endpoint', 'cluster.my-role', 'cluster.coordinator', 'configuration'])(
    'is refused for %s: a missing variable changes no role and no address',
    (name) =>
      expect(loadError({}, { args: [`--${name}=@NOT_SET@`] }).message).toBe(
        `command line: "--${name}=@NOT_SET@": the value is empty; not set in the environment: NOT_SET`,
      ),
  );

  it.each(['cluster.my-address', 'ssl.keyfile', 'log.level'])('takes %s back to its default', (name) =>
    expect(load({}, { args: [`--${name}=@NOT_SET@`] })).toEqual(load({})),
  );
});

describe('A variable ENDPOINT_LISTING_*', () => {
  it.each<[string, Record<string, string>, string]>([
    [
      'with a bad value is named, with the value',
      { ENDPOINT_LISTING_CLUSTER_MY_ROLE: 'king' },
      'ENDPOINT_LISTING_CLUSTER_MY_ROLE: "king": "king" is not a role: it is none of SINGLE, COORDINATOR, DBSERVER, PRIMARY, AGENT',
    ],
    [
      'with a misspelt name is refused with the one that was meant, and never with its value',
      { ENDPOINT_LISTING_CLUSTER_MY_ROL: 'openSesame' },
      'ENDPOINT_LISTING_CLUSTER_MY_ROL: unknown variable, did you mean ENDPOINT_LISTING_CLUSTER_MY_ROLE? (see --help)',
    ],
    [
      'that is like no other is refused',
      { ENDPOINT_LISTING_QUIET: '1' },
      'ENDPOINT_LISTING_QUIET: unknown variable (see --help)',
    ],
    [
      'that looks like one of Kubernetes is refused without its Service',
      { ENDPOINT_LISTING_PORT: 'tcp://10.0.0.1:8529' },
      'ENDPOINT_LISTING_PORT: unknown variable (see --help)',
    ],
  ])('%s', (_, env, message) => {
    const error = loadError({}, { env });
    expect(error.message).toBe(message);
    expect(error.problems[0]?.variable).toBe(Object.keys(env)[0]);
  });

  it('may be one of those that hold a password', () => {
    const env = {
      ENDPOINT_LISTING_PASSWORD: 'a',
      ENDPOINT_LISTING_AGENCY_PASSWORD: 'b',
      ENDPOINT_LISTING_UPSTREAM_AUTHORIZATION: 'Basic c',
    };
    expect(load({}, { env })).toEqual(load({}));
  });

  it.each(['ENDPOINT_LISTING', 'ENDPOINT_LISTING_STATUS', 'ENDPOINT_LISTING_SERVER'])(
    'may be one that Kubernetes sets for the Service %s',
    (service) => {
      const port = `${service}_PORT_8529_TCP`;
      const names = [
        `${service}_SERVICE_HOST`,
        `${service}_SERVICE_PORT`,
        `${service}_SERVICE_PORT_HTTP`,
        `${service}_PORT`,
      ];
      const all = [...names, port, `${port}_PROTO`, `${port}_PORT`, `${port}_ADDR`];
      expect(load({}, { env: Object.fromEntries(all.map((name) => [name, 'tcp://10.96.0.7:8529'])) })).toEqual(
        load({}),
      );
    },
  );
});
