import { createEndpointRouter } from '../../lib/index.js';
import { coordinatorEndpoint, readEachEndpoint, serverEndpoint } from '../../lib/endpoint/listable.js';
import { thrownBy } from '../support/thrown.js';

const SCHEMES = 'tcp, ssl, http, https, http+tcp, http+ssl, http@tcp, http@ssl, unix, http+unix, http@unix';
const WILDCARD = 'clients cannot connect to a wildcard address';
const SOCKET_FILE = 'a cluster listing has no place for a unix socket';

describe('The cluster listing', () => {
  it.each([
    ['http://a', 'tcp://a:8529'],
    ['HTTPS://b', 'ssl://b:8529'],
    ['http+tcp://c', 'tcp://c:8529'],
    ['http@ssl://d', 'ssl://d:8529'],
    ['http+ssl://e', 'ssl://e:8529'],
    ['http@tcp://g', 'tcp://g:8529'],
    ['tcp://[2001:DB8::1]/', 'tcp://[2001:db8::1]:8529'],
    ['ssl://f:1', 'ssl://f:1'],
    ['tcp://0.0.0.1', 'tcp://0.0.0.1:8529'],
    ['tcp://[::1]', 'tcp://[::1]:8529'],
    ['tcp://127.0.0.1', 'tcp://127.0.0.1:8529'],
  ])('shows tcp and ssl, however the schemes were written: %s as %s', (endpoint, shown) =>
    expect(coordinatorEndpoint(endpoint)).toBe(shown),
  );

  it.each([
    ['tcp://0.0.0.0:8529', WILDCARD],
    ['https://0.0.0.0', WILDCARD],
    ['tcp://[::]:8529', WILDCARD],
    ['ssl://[0:0:0:0:0:0:0:0]:8529', WILDCARD],
    ['tcp://[::0.0.0.0]:8529', WILDCARD],
    ['tcp://[::ffff:0.0.0.0]:8529', WILDCARD],
    ['tcp://[::FFFF:0:0]:8529', WILDCARD],
    ['unix:///run/a.sock', SOCKET_FILE],
    ['http+unix:///run/a.sock', SOCKET_FILE],
    ['http@unix:///run/a.sock', SOCKET_FILE],
    ['tcp://h:0', 'the port is outside 1 to 65535'],
  ])('has no place for %s: %s', (endpoint, reason) => {
    expect(thrownBy(() => coordinatorEndpoint(endpoint))).toMatchObject({ name: 'EndpointSyntaxError', reason });
    const create = (): unknown => createEndpointRouter({ role: 'coordinator', endpoints: ['tcp://good', endpoint] });
    expect(create).toThrow(`"${endpoint}" is not an endpoint: ${reason}; allowed schemes: ${SCHEMES}`);
  });
});

it.each([
  ['tcp://a', 'http://a:8529'],
  ['SSL://b', 'https://b:8529'],
  ['http://c', 'http://c:8529'],
  ['https://d:443', 'https://d:443'],
  ['http@ssl://[::1]', 'https://[::1]:8529'],
  ['http+unix:///Run/A.sock', 'unix:///Run/A.sock'],
  // What the server listens on.
  ['tcp://0.0.0.0', 'http://0.0.0.0:8529'],
  ['ssl://[0::0]:8530', 'https://[::]:8530'],
])('The listing of a single server shows http for tcp, https for ssl, and unix as it is: %s as %s', (endpoint, shown) =>
  expect(serverEndpoint(endpoint)).toBe(shown),
);

it('A list of endpoints that is read as a whole becomes their forms, in its order', () =>
  expect(readEachEndpoint('x', ['ssl://b', 'TCP://a:1'], coordinatorEndpoint)).toEqual(['ssl://b:8529', 'tcp://a:1']));

it('Endpoints that are read together have one error, with that of each in its cause', () => {
  const read = (): unknown => readEachEndpoint('x', ['unix:///a', 'tcp://b', 'tcp://[::]'], coordinatorEndpoint);
  expect(thrownBy(read)).toMatchObject({ cause: { errors: [{ reason: SOCKET_FILE }, { reason: WILDCARD }] } });
});
