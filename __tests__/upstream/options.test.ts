import { createUpstreamDirectory, type UpstreamDirectoryOptions } from '../../lib/upstream/index.js';
import { refusalOf } from '../support/upstream/upstream-directories.js';

const SERVERS = 'option servers must be an array of one or more http: or https: URLs or endpoints, got';

it.each<[string, unknown, string]>([
  ['servers', [], `${SERVERS} an array`],
  ['servers', 'http://127.0.0.1:8529', `${SERVERS} "http://127.0.0.1:8529"`],
  ['servers', undefined, `${SERVERS} undefined`],
  ['servers', ['http://a', 'http://b?x=1'], 'option servers[1] is refused: the url must have no query and no fragment'],
  ['servers', ['http://a..b'], 'option servers[0] is refused: the host of the url "http://a..b/" is no host name'],
  ['servers', ['http://root:openSesame@'], 'option servers[0] is refused: the url "http://***@" is not valid'],
  ['listing', 'both', "option listing must be 'cluster' or 'server', got \"both\""],
  ['database', '..', 'option database must be a database name, got ".."'],
  [
    'headers',
    'Bearer openSesame',
    'option headers must be a Headers object or an object of valid header names and values, or a function that gives one, got a string',
  ],
  ['tls', { servername: 'a..' }, 'option tls.servername must be a host name, got "a.."'],
  ['timeoutMs', Infinity, 'option timeoutMs must be milliseconds from 1 to 2147483647, got Infinity'],
  ['server', 'http://a', 'unknown option "server", did you mean servers?'],
])('an option that is refused is named with its value and what is allowed %s: %p', async (option, value, message) => {
  const options = { servers: ['http://127.0.0.1:1'], [option]: value } as UpstreamDirectoryOptions;
  const error = await refusalOf(createUpstreamDirectory(options));
  expect(error).toBeInstanceOf(TypeError);
  expect(error.message).toBe(`createUpstreamDirectory: ${message}`);
});
