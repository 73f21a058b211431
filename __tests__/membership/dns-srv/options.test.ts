import { createSrvDirectory, type SrvDirectoryOptions } from '../../../lib/membership/dns-srv/index.js';
import { recordsOf, srvDirectories } from '../../support/srv-directories.js';

const { serve, list } = srvDirectories();
const NAME = '_arangodb._tcp.example.org';

const MS = 'milliseconds from 1 to 2147483647';
const STALE = 'milliseconds from 0 to 2147483647, or Infinity';
const SERVER = 'an array of at least one "<IP address>", "<IPv4 address>:<port>" or "[<IPv6 address>]:<port>"';
const DOMAIN = 'a full domain name';
const SCHEMES = 'tcp, ssl, http, https, http+tcp, http+ssl, http@tcp, http@ssl, unix, http+unix, http@unix';

describe('an option that is refused is named with its value and what is allowed', () => {
  it.each<[option: string, value: unknown, message: string]>([
    ['name', undefined, `name is undefined; allowed: ${DOMAIN}`],
    ['name', null, `name is null; allowed: ${DOMAIN}`],
    ['name', 7, `name is 7; allowed: ${DOMAIN}`],
    ['name', '', `name is ""; allowed: ${DOMAIN}`],
    ['name', '.', `name is "."; allowed: ${DOMAIN}`],
    ['name', 'a..b', `name is "a..b"; allowed: ${DOMAIN}`],
    ['name', 'a.b..', `name is "a.b.."; allowed: ${DOMAIN}`],
    ['name', 'a b.example', `name is "a b.example"; allowed: ${DOMAIN}`],
    ['name', 'http://a.example', `name is "http://a.example"; allowed: ${DOMAIN}`],
    ['name', '10.0.0.1', `name is "10.0.0.1"; allowed: ${DOMAIN}`],
    ['name', '::1', `name is "::1"; allowed: ${DOMAIN}`],
    ['name', `${'x'.repeat(64)}.example`, `name is "${'x'.repeat(64)}.example"; allowed: ${DOMAIN}`],
    ['scheme', undefined, 'scheme is undefined; allowed: "tcp" or "ssl"'],
    ['scheme', 'TCP', 'scheme is "TCP"; allowed: "tcp" or "ssl"'],
    ['scheme', 'unix', 'scheme is "unix"; allowed: "tcp" or "ssl"'],
    ['servers', undefined, `servers is undefined; allowed: ${SERVER}`],
    ['servers', '127.0.0.1', `servers is "127.0.0.1"; allowed: ${SERVER}`],
    ['servers', [], `servers is an array; allowed: ${SERVER}`],
    ['servers', ['127.0.0.1', 'localhost'], `servers[1] is "localhost"; allowed: ${SERVER}`],
    ['servers', Object.assign([], { 1: '127.0.0.1' }), `servers[0] is undefined; allowed: ${SERVER}`],
    ['servers', [53], `servers[0] is number; allowed: ${SERVER}`],
    ['servers', ['127.0.0.1:0'], `servers[0] is "127.0.0.1:0"; allowed: ${SERVER}`],
    ['servers', ['127.0.0.1:65536'], `servers[0] is "127.0.0.1:65536"; allowed: ${SERVER}`],
    ['servers', ['127.0.0.1:'], `servers[0] is "127.0.0.1:"; allowed: ${SERVER}`],
    ['servers', ['127.0.0.1:53x'], `servers[0] is "127.0.0.1:53x"; allowed: ${SERVER}`],
    ['servers', ['x[::1]:53'], `servers[0] is "x[::1]:53"; allowed: ${SERVER}`],
    ['servers', ['127.0.0.1:x'], `servers[0] is "127.0.0.1:x"; allowed: ${SERVER}`],
    ['servers', ['127.1:53'], `servers[0] is "127.1:53"; allowed: ${SERVER}`],
    ['servers', ['[127.0.0.1]:53'], `servers[0] is "[127.0.0.1]:53"; allowed: ${SERVER}`],
    ['servers', ['[::1'], `servers[0] is "[::1"; allowed: ${SERVER}`],
    ['servers', ['[fe80::1%lo]:53'], `servers[0] is "[fe80::1%lo]:53"; allowed: ${SERVER}`],
    ['servers', ['fe80::1%lo'], `servers[0] is "fe80::1%lo"; allowed: ${SERVER}`],
    ['pollIntervalMs', undefined, `pollIntervalMs is undefined; allowed: ${MS}`],
    ['pollIntervalMs', 0, `pollIntervalMs is 0; allowed: ${MS}`],
    ['pollIntervalMs', -1, `pollIntervalMs is -1; allowed: ${MS}`],
    ['pollIntervalMs', NaN, `pollIntervalMs is NaN; allowed: ${MS}`],
    ['pollIntervalMs', Infinity, `pollIntervalMs is Infinity; allowed: ${MS}`],
    ['pollIntervalMs', 2_147_483_648, `pollIntervalMs is 2147483648; allowed: ${MS}`],
    ['pollIntervalMs', '5000', `pollIntervalMs is "5000"; allowed: ${MS}`],
    ['timeoutMs', 249, 'timeoutMs is 249; allowed: an integer from 250 to 60000'],
    ['timeoutMs', 60_001, 'timeoutMs is 60001; allowed: an integer from 250 to 60000'],
    ['timeoutMs', 1000.5, 'timeoutMs is 1000.5; allowed: an integer from 250 to 60000'],
    ['tries', 0, 'tries is 0; allowed: an integer from 1 to 10'],
    ['tries', 11, 'tries is 11; allowed: an integer from 1 to 10'],
    ['tries', 1.5, 'tries is 1.5; allowed: an integer from 1 to 10'],
    ['connectTimeoutMs', 0, `connectTimeoutMs is 0; allowed: ${MS}`],
    ['connectTimeoutMs', Infinity, `connectTimeoutMs is Infinity; allowed: ${MS}`],
    ['maxStaleMs', -1, `maxStaleMs is -1; allowed: ${STALE}`],
    ['maxStaleMs', NaN, `maxStaleMs is NaN; allowed: ${STALE}`],
    ['maxStaleMs', -Infinity, `maxStaleMs is -Infinity; allowed: ${STALE}`],
    ['maxRecords', 0, 'maxRecords is 0; allowed: an integer from 1 to 3000'],
    ['maxRecords', 3001, 'maxRecords is 3001; allowed: an integer from 1 to 3000'],
    ['maxRecords', Infinity, 'maxRecords is Infinity; allowed: an integer from 1 to 3000'],
    ['include', undefined, 'include is undefined; allowed: an array of the endpoints of Coordinators'],
    ['include', 'tcp://a:1', 'include is "tcp://a:1"; allowed: an array of the endpoints of Coordinators'],
    [
      'include',
      ['tcp://a:1', 'unix:///tmp/a.sock'],
      `include[1] is refused: "unix:///tmp/a.sock" is not an endpoint: a cluster listing has no place for a unix socket; allowed schemes: ${SCHEMES}`,
    ],
    [
      'include',
      [7],
      `include[0] is refused: number is not an endpoint: it is not a string; allowed schemes: ${SCHEMES}`,
    ],
    [
      'server',
      ['127.0.0.1'],
      '"server" is unknown; allowed: name, scheme, servers, pollIntervalMs, timeoutMs, tries, connectTimeoutMs, maxStaleMs, maxRecords, include',
    ],
  ])('%s: %p', async (option, value, message) => {
    const options = { name: NAME, [option]: value } as SrvDirectoryOptions;
    await expect(createSrvDirectory(options)).rejects.toStrictEqual(
      new TypeError(`createSrvDirectory option ${message}`),
    );
  });

  it('a bad endpoint of include: what parseEndpoint says is the cause', async () => {
    const refused = createSrvDirectory({ name: NAME, include: ['tcp://'] });
    await expect(refused).rejects.toMatchObject({
      cause: { name: 'EndpointSyntaxError', reason: 'the host is empty' },
    });
  });

  it('left out: the name', async () => {
    await expect(createSrvDirectory({} as SrvDirectoryOptions)).rejects.toThrow(
      new TypeError(`createSrvDirectory option name is undefined; allowed: ${DOMAIN}`),
    );
  });
});

describe('options', () => {
  it.each([
    ['_ArangoDB._tcp.Example.ORG.', 'querySrv ESERVFAIL _arangodb._tcp.example.org'],
    ['db.service.consul', 'querySrv ESERVFAIL db.service.consul'],
    ['_db._tcp.b\u00fccher.example', 'querySrv ESERVFAIL _db._tcp.xn--bcher-kva.example'],
  ])('take a name in any letter case, with or without the closing dot, and in Unicode: %s', async (name, asked) => {
    const server = await serve({ rcode: 'SERVFAIL' });
    await expect(list(server, { name })).rejects.toThrow(asked);
  });

  it('take servers by IPv4 and IPv6 address, each with or without a port', async () => {
    const server = await serve(recordsOf('a.example'));
    const directory = await list(server, { servers: [server.address, '127.0.0.1', '::1', '[::1]:65535'] });
    expect(directory.status().state).toBe('live');
  });

  it('are read once: what the caller changes later does not matter', async () => {
    const server = await serve(recordsOf('a.example'));
    const servers = [server.address];
    const include = ['tcp://self:1'];
    const directory = await list(server, { servers, include });
    servers[0] = 'nowhere';
    include[0] = 'nowhere';
    server.reply(recordsOf('b.example'));
    await new Promise((resolve) => directory.once('change', resolve));
    expect(directory.provider()).toStrictEqual(['tcp://b.example:8529', 'tcp://self:1']);
  });

  it('may be frozen', async () => {
    const server = await serve(recordsOf('a.example'));
    const directory = await createSrvDirectory(Object.freeze({ name: NAME, servers: Object.freeze([server.address]) }));
    await directory.close();
    expect(directory.status().count).toBe(1);
  });
});
