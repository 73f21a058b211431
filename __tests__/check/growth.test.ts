import { checkEndpoints } from '../../lib/client/index.js';
import * as parse from '../../lib/endpoint/parse.js';
import { useListedServers } from '../support/check/listed-servers.js';

jest.mock('../../lib/endpoint/parse.js', () => {
  const actual = jest.requireActual<typeof parse>('../../lib/endpoint/parse.js');
  return { ...actual, parseEndpoint: jest.fn(actual.parseEndpoint) };
});
const servers = useListedServers();

/** How often a body, and an endpoint, is parsed while so many servers are checked that list each other. */
async function parsed(count: number): Promise<{ bodies: number; endpoints: number }> {
  const asked = await servers.plain(servers.answer, '0.0.0.0');
  // Linux has all of 127.0.0.0/8.
  servers.list = Array.from({ length: count }, (_, index) =>
    asked.replace('127.0.0.1', `127.1.0.${String(index + 1)}`),
  );
  const bodies = jest.spyOn(JSON, 'parse');
  const endpoints = jest.mocked(parse.parseEndpoint).mockClear();
  await expect(checkEndpoints(asked, { timeoutMs: 30_000 })).resolves.toMatchObject({ usable: count });
  const calls = { bodies: bodies.mock.calls.length, endpoints: endpoints.mock.calls.length };
  bodies.mockRestore();
  return calls;
}

it('Servers that list each other cost one reading of their list, however many they are, and a few for each endpoint', async () => {
  const [few, many] = [await parsed(4), await parsed(40)];
  expect([few.bodies, many.bodies]).toEqual([1, 1]);
  expect(many.endpoints).toBeLessThanOrEqual(10 * few.endpoints);
});
