import fc from 'fast-check';
import type { Server } from 'node:http';
import supertest from 'supertest';
import { translateEndpoints, type EndpointProvider } from '../../lib/index.js';
import { serverOf } from '../support/router/host.js';

const CLUSTER = '/_api/cluster/endpoints';
const NONE_LISTED = {
  code: 500,
  error: true,
  errorMessage: 'internal error',
  errorNum: 4,
};
const listing = (...endpoints: string[]): unknown => ({
  error: false,
  code: 200,
  endpoints: endpoints.map((endpoint) => ({ endpoint })),
});

/** What a provider may give, and what a client then gets, whatever came before. */
const LISTS: readonly [list: readonly string[], body: unknown][] = [
  [[], listing()],
  [['nonsense'], NONE_LISTED],
  [['nonsense', 'more'], NONE_LISTED],
  [['tcp://a:1'], listing('tcp://a:1')],
  [['tcp://a:1', 'nonsense'], listing('tcp://a:1')],
  [['tcp://b:1', 'tcp://a:1'], listing('tcp://b:1', 'tcp://a:1')],
];
/** The same through a rule for `tcp://a:1` alone: what no rule names is skipped by translation, the nonsense by the router. */
const TRANSLATED: readonly (readonly [list: readonly string[], body: unknown])[] = [
  [[], listing()],
  [['tcp://b:1'], NONE_LISTED],
  [['tcp://b:1', 'nonsense'], NONE_LISTED],
  [['nonsense'], NONE_LISTED],
  [['tcp://a:1', 'tcp://b:1'], listing('ssl://a.example:443')],
  [['tcp://a:1'], listing('ssl://a.example:443')],
];

it.each([
  ['of a provider', LISTS, (provider: EndpointProvider) => provider],
  [
    'of a provider whose list is translated',
    TRANSLATED,
    (provider: EndpointProvider) => translateEndpoints(provider, { 'tcp://a:1': 'ssl://a.example:443' }),
  ],
])(
  'Whatever a list was before changes nothing in the answer %s, in any order and however often it changes',
  async (_what, lists, through) => {
    const step = fc.record({ at: fc.nat({ max: lists.length - 1 }), isFrozen: fc.boolean() });
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 2, maxLength: 6 }), async (steps) => {
        let given: readonly string[] = [];
        const server = serverOf({ role: 'coordinator', endpoints: through(() => given), onError: () => undefined });
        for (const { at, isFrozen } of steps) {
          const [list, body] = lists[at] ?? [[], undefined];
          given = isFrozen ? Object.freeze([...list]) : [...list];
          expect(await bodyOf(server)).toEqual(body);
        }
      }),
      { numRuns: 60 },
    );
  },
);

async function bodyOf(server: Server): Promise<unknown> {
  return (await supertest(server).get(CLUSTER)).body;
}
