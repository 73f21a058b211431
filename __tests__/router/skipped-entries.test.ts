import type { Express } from 'express';
import { inspect } from 'node:util';
import supertest from 'supertest';
import type { EndpointRouterOptions } from '../../lib/index.js';
import { withSkipped } from '../../lib/listing/lists.js';
import { hostOf, serve, serverOf } from '../support/router/host.js';

const CLUSTER = '/_api/cluster/endpoints';

/** A coordinator whose provider gives what the test sets, and what its host was told. */
function coordinator(): { give: (...list: string[]) => void; options: EndpointRouterOptions; reported: Error[] } {
  let list: readonly string[] = [];
  const reported: Error[] = [];
  return {
    reported,
    give: (...next) => (list = next),
    options: { role: 'coordinator', endpoints: () => list, onError: (error) => reported.push(error) },
  };
}

const endpoints = (text: string): string[] =>
  (JSON.parse(text) as { endpoints: { endpoint: string }[] }).endpoints.map(({ endpoint }) => endpoint);

afterEach(() => {
  jest.restoreAllMocks();
});

describe('The report of skipped entries does not flood a log', () => {
  it('for a provider that skips another entry on every request: ten reports in ten minutes', async () => {
    const clock = jest.spyOn(performance, 'now').mockReturnValue(5000);
    const { give, options, reported } = coordinator();
    const agent = supertest(serverOf(options));
    for (let request = 0; request < 200; request += 1) {
      give('tcp://a', `x${String(request)}`);
      expect((await agent.get(CLUSTER)).status).toBe(200);
    }
    const named = (): unknown[] => reported.map(({ message }) => message.split('"')[1]);
    expect(named()).toEqual(['x0', 'x1', 'x2', 'x3', 'x4', 'x5', 'x6', 'x7', 'x8', 'x9']);

    clock.mockReturnValue(604_999);
    await agent.get(CLUSTER);
    expect(reported).toHaveLength(10);
    // What is still skipped when the ten minutes are over is reported then, once, although nothing has changed.
    clock.mockReturnValue(605_000);
    await agent.get(CLUSTER);
    await agent.get(CLUSTER);
    expect(named().slice(10)).toEqual(['x199']);
  });

  it('for a provider that alternates between two frozen lists: each is reported once', async () => {
    const lists = [Object.freeze(['tcp://a', 'x1']), Object.freeze(['tcp://b', 'x2'])] as const;
    const reported: Error[] = [];
    let turn = 0;
    const server = serverOf({
      role: 'coordinator',
      endpoints: () => lists[(turn += 1) % 2] ?? [],
      onError: (error) => reported.push(error),
    });
    for (let request = 0; request < 20; request += 1) await supertest(server).get(CLUSTER).expect(200);
    expect(reported.map(({ message }) => message.split('"')[1]).sort()).toEqual(['x1', 'x2']);
    // A printed report has no stack of each of them, which all lead to the same line.
    const [refusal] = (reported[0] as AggregateError).errors as Error[];
    expect(refusal?.stack).toBe(`EndpointSyntaxError: ${String(refusal?.message)}`);
  });

  it.each([
    ['beside a good one', ['tcp://a']],
    ['without a good one', []],
  ])('with a thousand bad entries %s: what is printed by default can be read', async (_what, good) => {
    const printed: string[] = [];
    jest.spyOn(console, 'error').mockImplementation((error: unknown) => printed.push(inspect(error)));
    const bad = Array.from({ length: 1000 }, (_, index) => `x${String(index)}`);
    const app: Express = hostOf({ role: 'coordinator', endpoints: () => [...good, ...bad] }).set('env', 'production');
    await supertest(serve(app)).get(CLUSTER);
    expect(printed).toHaveLength(1);
    expect(printed.join().length).toBeLessThan(12_000);
  });
});

describe('A provider that skips entries itself', () => {
  const refusal = (text: string): Error => new Error(`${text} is not reachable from here`);

  it('has them reported beside those that the router skips, once per change', async () => {
    const reported: string[] = [];
    let skipped = ['tcp://10.0.0.3:1'];
    const server = serverOf({
      role: 'coordinator',
      endpoints: () => withSkipped(['tcp://a', 'x'], skipped.map(refusal)),
      onError: ({ message }) => reported.push(message),
    });
    for (let request = 0; request < 3; request += 1) {
      expect(endpoints((await supertest(server).get(CLUSTER)).text)).toEqual(['tcp://a:8529']);
    }
    skipped = ['tcp://10.0.0.4:1'];
    for (let request = 0; request < 3; request += 1) await supertest(server).get(CLUSTER).expect(200);
    expect(reported.map((message) => message.split('\n').slice(0, 3))).toEqual([
      [
        'skipped in the cluster listing:',
        expect.stringMatching(/^ {2}"x" is not an endpoint/),
        '  tcp://10.0.0.3:1 is not reachable from here',
      ],
      [
        'skipped in the cluster listing:',
        expect.stringMatching(/^ {2}"x" is not an endpoint/),
        '  tcp://10.0.0.4:1 is not reachable from here',
      ],
    ]);
  });

  it('gives a list that nobody can change, and that looks like any other', () => {
    const list = withSkipped(['tcp://a'], [refusal('tcp://b')]);
    expect([Object.isFrozen(list), Object.keys(list), JSON.stringify(list)]).toEqual([true, ['0'], '["tcp://a"]']);
  });
});
