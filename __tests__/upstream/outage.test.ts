import { next } from '../support/dns/srv-directories.js';
import { NO_COORDINATOR, sendJson, STARTING, UNAUTHORIZED, type Reply } from '../support/upstream/coordinator.js';
import { polled, upstreamDirectories } from '../support/upstream/upstream-directories.js';

const { serve, list } = upstreamDirectories();
const A = 'tcp://10.0.0.11:8529';
const B = 'tcp://10.0.0.12:8529';

it('an upstream whose listing changes, changes the list', async () => {
  const server = await serve([A]);
  const directory = await list([server]);
  server.reply([A, B]);
  expect(await next(directory, 'change')).toStrictEqual([[A, B]]);
  expect(directory.provider()).toStrictEqual([A, B]);
});

it.each<[string, Reply, string]>([
  ['answers 503', STARTING, 'the server refused with 503 / 503: "service unavailable"'],
  [
    'is no Coordinator any more',
    NO_COORDINATOR,
    'the server refused with 501 / 9: "cannot serve this request for this deployment type" (the server is no Coordinator)',
  ],
  [
    'ends in the middle',
    (_req, res) =>
      void res
        .writeHead(200, { 'Content-Type': 'application/json', 'Content-Length': 100 })
        .write('{', () => res.destroy()),
    'no answer: "aborted"',
  ],
])(
  'an upstream that fails because it %s makes the list stale; it is served until there is an answer',
  async (_how, reply, reason) => {
    const server = await serve([A]);
    const directory = await list([server]);
    server.reply(reply);
    const [reported] = (await next(directory, 'stale')) as [Error];
    expect(reported.message).toContain(`GET ${server.url}/_api/cluster/endpoints: ${reason}`);
    expect(directory.provider()).toStrictEqual([A]);
    expect(directory.status()).toMatchObject({ state: 'stale', count: 1, lastError: reported.message });
    server.reply([B]);
    await next(directory, 'live');
    expect(directory.provider()).toStrictEqual([B]);
  },
);

describe('several servers', () => {
  it('a poll stays with the one that answered last', async () => {
    const [first, second] = [await serve(STARTING), await serve([A])];
    await list([first, second]);
    first.reply([B]);
    await polled(second, 3);
    expect(first.requests).toHaveLength(1);
  });

  it('when that one fails, the others are asked in their order, and no answer is missed', async () => {
    const [first, second, third] = [await serve([A]), await serve(UNAUTHORIZED), await serve([B])];
    const directory = await list([first, second, third]);
    const stale = jest.fn();
    directory.on('stale', stale);
    await first.close();
    expect(await next(directory, 'change')).toStrictEqual([[B]]);
    expect([second.requests.length, stale.mock.calls.length]).toStrictEqual([1, 0]);
  });
});

it("an entry that is no Coordinator's endpoint is skipped and reported, once as long as it stays there, and hides no other", async () => {
  const server = await serve([A]);
  const directory = await list([server]);
  const skipped = jest.fn<undefined, [readonly Error[]]>();
  directory.on('skipped', skipped);
  const endpoints = [
    { endpoint: B },
    // What the reference server sends for a server that it knows no address of.
    { endpoint: '' },
    { endpoint: 'unix:///run/db.sock' },
    { endpoint: 'tcp://0.0.0.0:8529' },
    { endpoint: 'gopher://10.0.0.13' },
    { endpoint: A, internal: 'tcp://192.168.0.1:8529' },
    'tcp://10.0.0.14:8529',
  ];
  server.reply((_req, res) => sendJson(res, 200, { error: false, code: 200, endpoints }));
  expect(await next(directory, 'change')).toStrictEqual([[A, B]]);
  endpoints.reverse();
  await polled(server, 2);
  expect(directory.status()).toMatchObject({ state: 'live', count: 2, skipped: 5 });
  expect(skipped).toHaveBeenCalledTimes(1);
  expect(skipped.mock.calls[0]?.[0].map(({ message }) => message.replace(/; allowed.*/, ''))).toStrictEqual([
    '"unix:///run/db.sock" is not an endpoint: a cluster listing has no place for a unix socket',
    '"tcp://0.0.0.0:8529" is not an endpoint: clients cannot connect to a wildcard address',
    '"gopher://10.0.0.13" is not an endpoint: its scheme is unknown',
    'an entry of the upstream\'s listing holds no endpoint: attribute "endpoint" must be a non-empty string, got ""',
    'an entry of the upstream\'s listing holds no endpoint: must be an object, got "tcp://10.0.0.14:8529"',
  ]);
});
