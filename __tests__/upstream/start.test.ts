import { freePort } from '../support/process/free-port.js';
import { FORBIDDEN, STARTING, UNAUTHORIZED } from '../support/upstream/coordinator.js';
import { refusalOf, upstreamDirectories } from '../support/upstream/upstream-directories.js';

const { serve, list } = upstreamDirectories();
const A = 'tcp://10.0.0.11:8529';
const B = 'tcp://10.0.0.12:8529';

/** The address of a server that is gone. */
const goneServer = async (): Promise<string> => `http://127.0.0.1:${String(await freePort())}`;

describe('the start', () => {
  it('gives a directory that holds the listing of the upstream', async () => {
    const directory = await list([await serve([B, A])]);
    expect(directory.provider()).toStrictEqual([A, B]);
    expect(directory.status()).toMatchObject({
      state: 'live',
      ageMs: expect.any(Number) as number,
      count: 2,
      skipped: 0,
      relists: 1,
      events: 0,
    });
  });

  it('tries the servers in their order', async () => {
    const [first, second, third] = [await serve(STARTING), await serve([A]), await serve([B])];
    const directory = await list([await goneServer(), first, second, third], { pollIntervalMs: 600_000 });
    expect(directory.provider()).toStrictEqual([A]);
    expect([first.requests.length, second.requests.length, third.requests.length]).toStrictEqual([1, 1, 0]);
  });

  it.each([
    [UNAUTHORIZED, 'the server refused with 401 / 11: "not authorized to execute this request"'],
    [FORBIDDEN, 'the server refused with 403 / 11: "forbidden"'],
  ])("fails at once, in the server's own words, when a server answers %j", async (reply, words) => {
    const [first, second] = [await serve(reply), await serve([A])];
    const error = await refusalOf(list([first, second], { connectTimeoutMs: 600_000 }));
    expect(error.message).toBe(`no list from the upstream: GET ${first.url}/_api/cluster/endpoints: ${words}`);
    expect(error.cause).toMatchObject({ name: 'ListingError', kind: 'refused', ...reply });
    expect(second.requests).toStrictEqual([]);
  });

  it('fails as soon as all servers have failed, naming each and why', async () => {
    const [gone, starting] = [await goneServer(), await serve(STARTING)];
    const error = await refusalOf(list([gone, starting], { connectTimeoutMs: 600_000 }));
    expect(error.message).toBe(
      `no list from the upstream: GET ${gone}/_api/cluster/endpoints: no answer: "connect ECONNREFUSED ${gone.slice(7)}"; ` +
        `GET ${starting.url}/_api/cluster/endpoints: the server refused with 503 / 503: "service unavailable"`,
    );
  });

  it('goes on to the next server after timeoutMs', async () => {
    const [mute, second] = [await serve('silence'), await serve([A])];
    const directory = await list([mute, second], { timeoutMs: 2000 });
    expect(directory.provider()).toStrictEqual([A]);
  });

  it('takes an empty listing when it comes twice in a row, asking again at once', async () => {
    const server = await serve([]);
    const directory = await list([server], { pollIntervalMs: 600_000 });
    expect(directory.provider()).toStrictEqual([]);
    expect(server.requests).toHaveLength(2);
  });
});

it.each([
  [{}, 'GET /_api/cluster/endpoints'],
  [{ listing: 'server' }, 'GET /_api/endpoint'],
  [{ database: 'my db' }, 'GET /_db/my%20db/_api/cluster/endpoints'],
  [{ listing: 'server', database: '_system' }, 'GET /_db/_system/_api/endpoint'],
] as const)('what is asked with %j it is %s', async (options, request) => {
  const server = await serve([A]);
  await list([server], options);
  expect(server.requests[0]).toBe(request);
});
