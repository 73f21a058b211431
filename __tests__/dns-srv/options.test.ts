import { createSrvDirectory, type SrvDirectoryOptions } from '../../lib/dns-srv/index.js';
import { recordsOf, srvDirectories } from '../support/dns/srv-directories.js';

const { serve, list } = srvDirectories();
const NAME = '_arangodb._tcp.example.org';

const MS = 'milliseconds from 1 to 2147483647';
const STALE = 'milliseconds from 0 to 2147483647, or Infinity';
const SERVER = 'an array of at least one "<IP address>", "<IPv4 address>:<port>" or "[<IPv6 address>]:<port>"';
const DOMAIN = 'a full domain name';
const SCHEMES = 'tcp, ssl, http, https, http+tcp, http+ssl, http@tcp, http@ssl, unix, http+unix, http@unix';

describe('an option that is refused is named with its value and what is allowed', () => {
  it.each<[option: string, value: unknown, message: string]>([
    ['name', undefined, `option name must be ${DOMAIN}, got undefined`],
    ['name', `${'x'.repeat(64)}.example`, `option name must be ${DOMAIN}, got "${'x'.repeat(64)}.example"`],
    ['scheme', undefined, `option scheme must be 'tcp' or 'ssl', got undefined`],
    ['scheme', 'TCP', `option scheme must be 'tcp' or 'ssl', got "TCP"`],
    ['scheme', 'unix', `option scheme must be 'tcp' or 'ssl', got "unix"`],
    ['servers', undefined, `option servers must be ${SERVER}, got undefined`],
    ['servers', '127.0.0.1', `option servers must be ${SERVER}, got "127.0.0.1"`],
    ['servers', [], `option servers must be ${SERVER}, got an array`],
    ['servers', ['127.0.0.1', 'localhost'], `option servers[1] must be ${SERVER}, got "localhost"`],
    ['servers', Object.assign([], { 1: '127.0.0.1' }), `option servers[0] must be ${SERVER}, got undefined`],
    ['servers', [53], `option servers[0] must be ${SERVER}, got 53`],
    ['servers', ['127.0.0.1:0'], `option servers[0] must be ${SERVER}, got "127.0.0.1:0"`],
    ['servers', ['127.0.0.1:65536'], `option servers[0] must be ${SERVER}, got "127.0.0.1:65536"`],
    ['servers', ['127.0.0.1:'], `option servers[0] must be ${SERVER}, got "127.0.0.1:"`],
    ['servers', ['127.0.0.1:53x'], `option servers[0] must be ${SERVER}, got "127.0.0.1:53x"`],
    ['servers', ['x[::1]:53'], `option servers[0] must be ${SERVER}, got "x[::1]:53"`],
    ['servers', ['127.0.0.1:x'], `option servers[0] must be ${SERVER}, got "127.0.0.1:x"`],
    ['servers', ['127.1:53'], `option servers[0] must be ${SERVER}, got "127.1:53"`],
    ['servers', ['[127.0.0.1]:53'], `option servers[0] must be ${SERVER}, got "[127.0.0.1]:53"`],
    ['servers', ['[::1'], `option servers[0] must be ${SERVER}, got "[::1"`],
    ['servers', ['[fe80::1%lo]:53'], `option servers[0] must be ${SERVER}, got "[fe80::1%lo]:53"`],
    ['servers', ['127.0.0.1:053'], `option servers[0] must be ${SERVER}, got "127.0.0.1:053"`],
    ['servers', ['fe80::1%lo'], `option servers[0] must be ${SERVER}, got "fe80::1%lo"`],
    ...['', '.', 'a..', 'a..b', 'a.b..', 'a b.example', 'http://a.example', '10.0.0.1', '::1'].map(
      (name): [string, unknown, string] => ['name', name, `option name must be ${DOMAIN}, got "${name}"`],
    ),
    ['pollIntervalMs', 0, `option pollIntervalMs must be ${MS}, got 0`],
    ['pollIntervalMs', 2_147_483_648, `option pollIntervalMs must be ${MS}, got 2147483648`],
    ['timeoutMs', 249, 'option timeoutMs must be an integer from 250 to 60000, got 249'],
    ['timeoutMs', 60_001, 'option timeoutMs must be an integer from 250 to 60000, got 60001'],
    ['tries', 0, 'option tries must be an integer from 1 to 10, got 0'],
    ['tries', 11, 'option tries must be an integer from 1 to 10, got 11'],
    ['connectTimeoutMs', 0, `option connectTimeoutMs must be ${MS}, got 0`],
    ['maxStaleMs', -1, `option maxStaleMs must be ${STALE}, got -1`],
    ['maxStaleMs', -Infinity, `option maxStaleMs must be ${STALE}, got -Infinity`],
    ['maxRecords', 0, 'option maxRecords must be an integer from 1 to 3000, got 0'],
    ['maxRecords', 3001, 'option maxRecords must be an integer from 1 to 3000, got 3001'],
    ['include', undefined, 'option include must be an array of the endpoints of Coordinators, got undefined'],
    ['include', 'tcp://a:1', 'option include must be an array of the endpoints of Coordinators, got "tcp://a:1"'],
    [
      'include',
      ['tcp://a:1', 'unix:///tmp/a.sock'],
      `option include[1] is refused: "unix:///tmp/a.sock" is not an endpoint: a cluster listing has no place for a unix socket; allowed schemes: ${SCHEMES}`,
    ],
    [
      'include',
      [7],
      `option include[0] is refused: number is not an endpoint: it is not a string; allowed schemes: ${SCHEMES}`,
    ],
    ['server', ['127.0.0.1'], 'unknown option "server", did you mean servers?'],
  ])('%s: %p', async (option, value, message) => {
    const options = { name: NAME, [option]: value } as SrvDirectoryOptions;
    await expect(createSrvDirectory(options)).rejects.toStrictEqual(new TypeError(`createSrvDirectory: ${message}`));
  });

  it('a bad endpoint of include: what parseEndpoint says is the cause', async () => {
    const refused = createSrvDirectory({ name: NAME, include: ['tcp://'] });
    await expect(refused).rejects.toMatchObject({
      cause: { name: 'EndpointSyntaxError', reason: 'the host is empty' },
    });
  });

  it('left out: the name', async () => {
    await expect(createSrvDirectory({} as SrvDirectoryOptions)).rejects.toThrow(
      new TypeError(`createSrvDirectory: option name is missing; it must be ${DOMAIN}`),
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

  it('take servers by IPv4 and IPv6 address, each with or without a port, and brackets without one', async () => {
    const server = await serve(recordsOf('a.example'));
    const directory = await list(server, { servers: [server.address, '127.0.0.1', '::1', '[::1]', '[::1]:65535'] });
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
});
