import type { Limit } from './judge.js';
import { variant, type Variant } from './variant.js';

/** One figure that the router promises: a ratio of two variants, and its limit. */
export interface Target {
  readonly figure: string;
  /** `cpu`: processor time per request; `rate`: requests per second. */
  readonly metric: 'cpu' | 'rate';
  readonly of: Variant;
  readonly to: Variant;
  readonly limit: Limit;
}

const target = (figure: string, metric: Target['metric'], of: Variant, to: Variant, limit: Limit): Target => ({
  figure,
  metric,
  of,
  to,
  limit,
});

/** Against what else one could have: the least that Express does, a handler written by hand, Node without Express, Fastify. */
function againstOthers(express: Variant['express']): Target[] {
  const plain = (size = 3): Variant => variant('app.listen', 'sync', { express, size });
  const onAppServer = (size = 3): Variant => variant('createAppServer', 'sync', { express, size });
  const naive = (size = 3): Variant => variant('app.listen', 'naive', { express, size });
  const floor = variant('app.listen', 'constant', { express });
  const fastify = (size = 3): Variant => variant('fastify', 'schema', { size });

  return [
    target('sync / constant buffer', 'cpu', plain(), floor, { atMost: 1.1 }),
    target('snapshot / constant buffer', 'cpu', { ...plain(), handler: 'snapshot' }, floor, { atMost: 1.1 }),
    target('async / constant buffer', 'cpu', { ...plain(), handler: 'async' }, floor, { atMost: 1.25 }),
    target('router / naive, list of 3', 'rate', plain(), naive(), { atLeast: 1.25 }),
    target('router / naive, list of 1000', 'rate', plain(1000), naive(1000), { atLeast: 3 }),
    target('router / naive, list of 10000', 'rate', plain(10_000), naive(10_000), { atLeast: 12 }),
    target('createAppServer / naive on app.listen, list of 3', 'rate', onAppServer(), naive(), { atLeast: 5 }),
    target('createAppServer / naive on app.listen, list of 10000', 'rate', onAppServer(10_000), naive(10_000), {
      atLeast: 30,
    }),
    target('createAppServer / bare node:http', 'rate', onAppServer(), variant('node:http', 'constant'), {
      atLeast: 0.7,
    }),
    target('createAppServer / Fastify, list of 3', 'cpu', onAppServer(), fastify(), { atMost: 1.1 }),
    target('createAppServer / Fastify, list of 100', 'rate', onAppServer(100), fastify(100), { atLeast: 1.3 }),
    target('createAppServer / Fastify, list of 10000', 'rate', onAppServer(10_000), fastify(10_000), { atLeast: 10 }),
  ];
}

/** Against the router itself: what a longer list costs, and what a refusal costs. */
function againstItself(express: Variant['express'], server: Variant['server']): Target[] {
  const listing = (handler: Variant['handler'], size: number): Variant => variant(server, handler, { express, size });
  const asked = (ask: Variant['ask']): Variant => variant(server, 'sync', { express, ask });

  return [
    target(`snapshot of 10000 / of 3, ${server}`, 'cpu', listing('snapshot', 10_000), listing('snapshot', 3), {
      atMost: 1.2,
    }),
    target(`405 / 200, ${server}`, 'cpu', asked('405'), asked('server'), { atMost: 1.2 }),
    target(`400 / 200, ${server}`, 'cpu', asked('400'), asked('server'), { atMost: 1.2 }),
  ];
}

export const TARGETS: readonly Target[] = ([5, 4] as const).flatMap((express) => [
  ...againstOthers(express),
  ...againstItself(express, 'app.listen'),
  ...againstItself(express, 'createAppServer'),
]);
