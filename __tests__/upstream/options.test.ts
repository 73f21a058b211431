import { createUpstreamDirectory, type UpstreamDirectoryOptions } from '../../lib/upstream/index.js';
import { refusalOf } from '../support/upstream/upstream-directories.js';

const SERVERS = 'option servers must be an array of one or more http: or https: URLs or endpoints, got';

describe('an option that is refused is named with its value and what is allowed', () => {
  it.each<[string, unknown, string]>([
    ['servers', [], `${SERVERS} an array`],
    ['servers', 'http://127.0.0.1:8529', `${SERVERS} "http://127.0.0.1:8529"`],
    ['servers', undefined, `${SERVERS} undefined`],
    ['servers', [7], 'option servers[0] is refused: the url must be a string or a URL, got number'],
    [
      'servers',
      ['http://a', 'http://b?x=1'],
      'option servers[1] is refused: the url must have no query and no fragment',
    ],
    [
      'servers',
      ['unix:///run/db.sock'],
      'option servers[0] is refused: the url "unix:///run/db.sock" is a unix socket, which fetch cannot reach',
    ],
    ['servers', ['http://a..b'], 'option servers[0] is refused: the host of the url "http://a..b/" is no host name'],
    ['servers', ['https://.:1'], 'option servers[0] is refused: the host of the url "https://.:1/" is no host name'],
    ['servers', ['http://root:openSesame@'], 'option servers[0] is refused: the url "http://***@" is not valid'],
    ['listing', 'both', "option listing must be 'cluster' or 'server', got \"both\""],
    ['database', '..', 'option database must be a database name, got ".."'],
    [
      'headers',
      'Bearer openSesame',
      'option headers must be a Headers object or an object of valid header names and values, or a function that gives one, got a string',
    ],
    [
      'headers',
      { a: 'openSesame\n' + 'x' },
      'option headers must be a Headers object or an object of valid header names and values, or a function that gives one, got object',
    ],
    ['tls', { servername: 'a..' }, 'option tls.servername must be a host name, got "a.."'],
    ['tls', { ca: 7 }, 'option tls.ca must be a PEM text or buffer, got number'],
    ['pollIntervalMs', 0, 'option pollIntervalMs must be milliseconds from 1 to 2147483647, got 0'],
    ['timeoutMs', Infinity, 'option timeoutMs must be milliseconds from 1 to 2147483647, got Infinity'],
    ['connectTimeoutMs', '5', 'option connectTimeoutMs must be milliseconds from 1 to 2147483647, got "5"'],
    ['maxStaleMs', -1, 'option maxStaleMs must be milliseconds from 0 to 2147483647, or Infinity, got -1'],
    ['include', 'tcp://a', 'option include must be an array of the endpoints of Coordinators, got "tcp://a"'],
    ['server', 'http://a', 'unknown option "server", did you mean servers?'],
  ])('%s: %p', async (option, value, message) => {
    const options = { servers: ['http://127.0.0.1:1'], [option]: value } as UpstreamDirectoryOptions;
    const error = await refusalOf(createUpstreamDirectory(options));
    expect(error).toBeInstanceOf(TypeError);
    expect(error.message).toBe(`createUpstreamDirectory: ${message}`);
  });

  it('an include that nobody can connect to', async () => {
    const error = await refusalOf(createUpstreamDirectory({ servers: ['tcp://a'], include: ['tcp://0.0.0.0'] }));
    expect(error.message).toMatch(
      /^createUpstreamDirectory: option include\[0\] is refused: "tcp:\/\/0\.0\.0\.0" is not/,
    );
  });
});
