import { fetchEndpoints, type FetchEndpointsOptions } from '../../lib/client/index.js';

/** A fetch that no wrong option may reach. */
const fetch = jest.fn<ReturnType<typeof globalThis.fetch>, Parameters<typeof globalThis.fetch>>();

async function failure(options: unknown): Promise<Error> {
  const error: unknown = await fetchEndpoints('http://127.0.0.1:1', options as FetchEndpointsOptions).catch(
    (thrown: unknown) => thrown,
  );
  expect(error).toBeInstanceOf(TypeError);
  return error as Error;
}

afterEach(() => expect(fetch).not.toHaveBeenCalled());

describe('a wrong option', () => {
  const listing = `fetchEndpoints: option listing must be 'cluster' or 'server', got`;
  const database = 'fetchEndpoints: option database must be a database name, got';
  const headers =
    'fetchEndpoints: option headers must be a Headers object or an object of valid header names and values, got';
  const signal = 'fetchEndpoints: option signal must be an AbortSignal, got';
  const timeout =
    'fetchEndpoints: option timeoutMs must be a number of milliseconds above 0, up to 2147483647, or Infinity, got';
  const maxBytes = 'fetchEndpoints: option maxBytes must be a positive integer of bytes, got';

  it.each<[keyof FetchEndpointsOptions, unknown, string]>([
    ['listing', 'coordinators', `${listing} "coordinators"`],
    ['listing', ['cluster'], `${listing} an array`],
    ['database', '', `${database} ""`],
    ['database', '.', `${database} "."`],
    ['database', '..', `${database} ".."`],
    ['database', 'a\ud800', `${database} "a\\ud800"`],
    ['database', 1, `${database} 1`],
    ['headers', undefined, `${headers} undefined`],
    ['headers', null, `${headers} null`],
    ['headers', 'authorization: openSesame', `${headers} a string`],
    ['headers', [['authorization', 'openSesame']], `${headers} an array`],
    ['headers', { authorization: 'openSesame\r\nx: y' }, `${headers} object`],
    ['headers', { 'openSesame ': 'x' }, `${headers} object`],
    ['signal', {}, `${signal} object`],
    ['signal', new AbortController(), `${signal} object`],
    ['timeoutMs', 0, `${timeout} 0`],
    ['timeoutMs', NaN, `${timeout} NaN`],
    ['timeoutMs', 2_147_483_648, `${timeout} 2147483648`],
    ['timeoutMs', '5000', `${timeout} "5000"`],
    ['maxBytes', 0, `${maxBytes} 0`],
    ['maxBytes', 1.5, `${maxBytes} 1.5`],
    ['maxBytes', Infinity, `${maxBytes} Infinity`],
  ])(
    '%s: %p rejects with a TypeError that names the option, the value and what is allowed',
    async (name, value, message) => {
      const error = await failure({ fetch, [name]: value });
      expect(error.message).toBe(message);
    },
  );

  it.each([
    ['__proto__', '"__proto__"'],
    ['toString', '"toString"'],
    [Symbol('timeout'), 'Symbol(timeout)'],
  ])('of an unknown name rejects with a list of the names: %p', async (name, shown) => {
    const options = Object.defineProperty({ fetch }, name, { value: 1, enumerable: true });
    expect((await failure(options)).message).toBe(
      `fetchEndpoints: unknown option ${shown}; allowed: listing, database, headers, signal, timeoutMs, maxBytes, onSkipped, fetch`,
    );
  });
});

describe('right options', () => {
  const answer: typeof globalThis.fetch = () => Promise.resolve(Response.json([{ endpoint: 'tcp://a:1' }]));

  it.each<FetchEndpointsOptions>([
    { fetch: answer, timeoutMs: Infinity },
    { fetch: answer, timeoutMs: 2_147_483_647 },
    { fetch: answer, timeoutMs: 60_000.5 },
    { fetch: answer, maxBytes: 26 },
    { fetch: answer, headers: {} },
    Object.freeze({ fetch: answer, listing: 'server' as const }),
    Object.assign(Object.create(null) as object, { fetch: answer }),
  ])('are taken: %p', async (options) => {
    await expect(fetchEndpoints('http://127.0.0.1:1', options)).resolves.toEqual(['tcp://a:1']);
  });
});
