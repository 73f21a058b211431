import { next } from '../support/dns/srv-directories.js';
import { NO_COORDINATOR, sendJson, STARTING, UNAUTHORIZED, type Reply } from '../support/upstream/coordinator.js';
import { polled, upstreamDirectories } from '../support/upstream/upstream-directories.js';

const { serve, list } = upstreamDirectories();
const A = 'tcp://10.0.0.11:8529';
const B = 'tcp://10.0.0.12:8529';

const json =
  (status: number, body: string, type = 'application/json'): Reply =>
  (_req, res) => {
    res.writeHead(status, { 'Content-Type': type });
    res.end(body);
  };

describe('an upstream whose listing changes', () => {
  it('changes the list', async () => {
    const server = await serve([A]);
    const directory = await list([server]);
    server.reply([A, B]);
    expect(await next(directory, 'change')).toStrictEqual([[A, B]]);
    expect(directory.provider()).toStrictEqual([A, B]);
  });

  it('and changes nothing when only the order does', async () => {
    const server = await serve([A, B]);
    const directory = await list([server]);
    const before = directory.provider();
    server.reply([B, A]);
    await polled(server, 2);
    expect(directory.provider()).toBe(before);
  });

  it('keeps the endpoints of include listed', async () => {
    const server = await serve([A]);
    const directory = await list([server], { include: ['tcp://gateway.example'] });
    expect(directory.provider()).toStrictEqual([A, 'tcp://gateway.example:8529']);
  });
});

describe('an upstream that fails', () => {
  it.each<[string, Reply, string]>([
    ['answers 503', STARTING, 'the server refused with 503 / 503: "service unavailable"'],
    ['answers 401', UNAUTHORIZED, 'the server refused with 401 / 11: "not authorized to execute this request"'],
    [
      'is no Coordinator any more',
      NO_COORDINATOR,
      'the server refused with 501 / 9: "cannot serve this request for this deployment type" (the server is no Coordinator)',
    ],
    ['answers 502 with a page', json(502, '<h1>Bad Gateway</h1>', 'text/html'), 'the server refused with 502'],
    ['answers 204', json(204, ''), 'the server refused with 204'],
    ['sends a page', json(200, '<html>', 'text/html'), 'the content type must be application/json, got "text/html"'],
    ['sends noise', json(200, '\x00\x01{'), 'the body is not JSON in UTF-8'],
    ['sends another object', json(200, '{}'), 'attribute "endpoints" must be an array, got undefined'],
    [
      'ends in the middle',
      (_req, res) =>
        void res
          .writeHead(200, { 'Content-Type': 'application/json', 'Content-Length': 100 })
          .write('{', () => res.destroy()),
      'no answer: "aborted"',
    ],
    [
      'redirects',
      (_req, res) => res.writeHead(307, { Location: 'http://127.0.0.1:1/elsewhere' }).end(),
      'the answer is a redirect to "http://127.0.0.1:1/elsewhere", which is not followed',
    ],
  ])('because it %s makes the list stale; it is served until there is an answer', async (_how, reply, reason) => {
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
  });

  it('because it says nothing for timeoutMs makes the list stale', async () => {
    const server = await serve([A]);
    const directory = await list([server], { timeoutMs: 2000 });
    server.reply('silence');
    const [reported] = (await next(directory, 'stale')) as [Error];
    expect(reported.message).toBe(`GET ${server.url}/_api/cluster/endpoints: no complete answer within 2000 ms`);
  });

  it('for longer than maxStaleMs makes the provider throw 503 with errorNum 1478, until there is an answer', async () => {
    const server = await serve([A]);
    const directory = await list([server], { maxStaleMs: 100 });
    server.reply(STARTING);
    await next(directory, 'expired');
    expect(directory.provider).toThrow(expect.objectContaining({ status: 503, errorNum: 1478 }) as Error);
    server.reply([A]);
    await next(directory, 'live');
    expect(directory.provider()).toStrictEqual([A]);
  });
});

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

  it('the reason names each of them when all fail', async () => {
    const [first, second] = [await serve([A]), await serve([A])];
    const directory = await list([first, second]);
    first.reply(STARTING);
    second.reply(UNAUTHORIZED);
    const [reported] = (await next(directory, 'stale')) as [Error];
    expect(reported.message).toBe(
      `GET ${first.url}/_api/cluster/endpoints: the server refused with 503 / 503: "service unavailable"; ` +
        `GET ${second.url}/_api/cluster/endpoints: the server refused with 401 / 11: "not authorized to execute this request"`,
    );
  });
});

describe('an empty listing', () => {
  it('counts when it comes twice in a row', async () => {
    const server = await serve([A]);
    const directory = await list([server]);
    const before = server.requests.length;
    server.reply([]);
    expect(await next(directory, 'change')).toStrictEqual([[]]);
    expect(server.requests.length - before).toBeGreaterThanOrEqual(2);
  });

  it('changes nothing when it comes once', async () => {
    const server = await serve([A]);
    const directory = await list([server]);
    const events = jest.fn();
    for (const event of ['change', 'stale', 'live'] as const) directory.on(event, events);
    server.reply([], [A], [], [A]);
    await polled(server, 4);
    expect(events).not.toHaveBeenCalled();
  });
});

describe("an entry that is no Coordinator's endpoint", () => {
  it('is skipped and reported, once as long as it stays there, and hides no other', async () => {
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
    server.reply((_req, res) => {
      sendJson(res, 200, { error: false, code: 200, endpoints });
    });
    expect(await next(directory, 'change')).toStrictEqual([[A, B]]);
    endpoints.reverse();
    await polled(server, 2);
    expect(directory.status()).toMatchObject({ state: 'live', count: 2, skipped: 5 });
    expect(skipped).toHaveBeenCalledTimes(1);
    expect(skipped.mock.calls[0]?.[0].map(({ message }) => message.replace(/; allowed.*/, ''))).toStrictEqual([
      '"unix:///run/db.sock" is not an endpoint: a cluster listing has no place for a unix socket',
      '"tcp://0.0.0.0:8529" is not an endpoint: nobody can connect to a wildcard address',
      '"gopher://10.0.0.13" is not an endpoint: its scheme is unknown',
      'an entry of the upstream\'s listing holds no endpoint: attribute "endpoint" must be a non-empty string, got ""',
      'an entry of the upstream\'s listing holds no endpoint: must be an object, got "tcp://10.0.0.14:8529"',
    ]);
  });
});
