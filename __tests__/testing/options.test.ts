import { startTestCluster, type Trouble, type TestClusterOptions } from '../../lib/testing/index.js';
import { clusters } from '../support/testing/cluster.js';

const start = clusters();

describe('startTestCluster refuses', () => {
  it.each([
    [{ coordinators: 0 }, 'option coordinators must be an integer from 1 to 100, got 0'],
    [{ coordinators: 2.5 }, 'option coordinators must be an integer from 1 to 100, got 2.5'],
    [{ ports: [] }, 'option ports must be an array of 1 to 100 different ports from 1 to 65535, got an array'],
    [{ ports: [8529, 0] }, 'option ports must be an array of 1 to 100 different ports from 1 to 65535, got an array'],
    [
      { ports: [8529, 8529] },
      'option ports must be an array of 1 to 100 different ports from 1 to 65535, got an array',
    ],
    [{ ports: '8529' }, 'option ports must be an array of 1 to 100 different ports from 1 to 65535, got "8529"'],
    [{ ports: [8529, 8530], coordinators: 3 }, 'option ports must have a port for each of the coordinators: 3, got 2'],
    [{ host: '0.0.0.0' }, 'option advertisedHost is missing; clients cannot connect to the host 0.0.0.0'],
    [{ host: '::', ssl: true }, 'option advertisedHost is missing; clients cannot connect to the host ::'],
    [{ ssl: 'yes' }, 'option ssl must be true or false, got "yes"'],
    [{ auth: 'root:secret' }, 'option auth must be a plain object of username, password, got a string'],
    [{ auth: { password: 7 } }, 'option auth.password must be a text, got number'],
    [{ database: '' }, 'option database must be a text of 1 character or more, got ""'],
    [{ host: 'localhost' }, 'option host must be an IP address, got "localhost"'],
    [{ routes: 'all' }, 'option routes must be a function, got "all"'],
    [{ clusterDatabases: 'all' }, "option clusterDatabases must be 'system' or 'any', got \"all\""],
    [{ notCoordinatorStatus: 404 }, 'option notCoordinatorStatus must be 501 or 403, got 404'],
  ])('%j', async (options, message) => {
    await expect(startTestCluster(options as TestClusterOptions)).rejects.toThrow(
      new TypeError(`startTestCluster: ${message}`),
    );
  });

  it('an advertised host that is none', async () => {
    await expect(startTestCluster({ advertisedHost: 'a b' })).rejects.toThrow(
      /^startTestCluster: option advertisedHost: .*"tcp:\/\/a b:1"/,
    );
  });
});

it.each([
  [null, 'the options must be a plain object, got null'],
  [{}, /^trouble: option kind is missing; it must be 'status', 'answer', .* or 'tls'$/],
  [{ status: 503 }, /^trouble: option kind is missing/],
  [{ kind: 'statsu', status: 503 }, /^trouble: option kind must be 'status', .* or 'tls', got "statsu"$/],
  [{ kind: 'status' }, 'option status is missing; it must be an integer from 200 to 599'],
  [{ kind: 'status', status: 600 }, 'option status must be an integer from 200 to 599, got 600'],
  [{ kind: 'delay' }, 'option milliseconds is missing; it must be milliseconds from 0 to 2147483647'],
  [
    { kind: 'silence', milliseconds: 5 },
    'unknown option "milliseconds"; allowed: kind, coordinator, times, probability, seed, routes',
  ],
  [{ kind: 'reset', at: 'head' }, "option at must be 'before-head', 'in-head' or 'after-head', got \"head\""],
  [
    { kind: 'redirect', location: 'a\r\nSet-Cookie: x' },
    'option location must be a text that can be a header, got "a\\r\\nSet-Cookie: x"',
  ],
  [{ kind: 'redirect', location: '/\u0142' }, 'option location must be a text that can be a header, got "/\u0142"'],
  [
    { kind: 'answer', headers: { 'A b': 'x' } },
    'option headers must be an object of texts that can be headers, got object',
  ],
  [
    { kind: 'answer', headers: { A: 'x\n' } },
    'option headers must be an object of texts that can be headers, got object',
  ],
  [{ kind: 'answer', headers: 'A: x' }, 'option headers must be an object of texts that can be headers, got "A: x"'],
  [{ kind: 'answer', body: 7 }, 'option body must be a text, got number'],
  [{ kind: 'silence', coordinator: 3 }, 'option coordinator must be an integer from 0 to 2, got 3'],
  [{ kind: 'silence', times: 0 }, 'option times must be an integer from 1 to 9007199254740991, got 0'],
  [{ kind: 'silence', probability: 0 }, 'option probability must be a number above 0, up to 1, got 0'],
  [{ kind: 'silence', probability: 1.1 }, 'option probability must be a number above 0, up to 1, got 1.1'],
  [{ kind: 'silence', probability: '1' }, 'option probability must be a number above 0, up to 1, got "1"'],
  [{ kind: 'silence', routes: 'any' }, "option routes must be 'listing' or 'all', got \"any\""],
  [{ kind: 'shape', shape: 'null', routes: 'all' }, 'option routes must be \'listing\' for the kind shape, got "all"'],
  [
    { kind: 'entries', entries: 'dead', routes: 'all' },
    'option routes must be \'listing\' for the kind entries, got "all"',
  ],
  [{ kind: 'tls', certificate: 'expired' }, 'the kind tls needs a cluster started with ssl'],
])('trouble() refuses %j', async (trouble, message) => {
  const cluster = await start();
  const set = (): unknown => cluster.trouble(trouble as Trouble);
  if (typeof message === 'string') expect(set).toThrow(new TypeError(`trouble: ${message}`));
  else expect(set).toThrow(message);
  expect(set).toThrow(TypeError);
});
