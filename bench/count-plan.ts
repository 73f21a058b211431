import type { Limit } from './judge.js';
import { ON_OTHER_SERVERS } from './plan.js';
import { variant, type Variant } from './variant.js';

/** What every count is divided by. */
export const BARE = variant('node:http', 'constant');
const FASTIFY = variant('fastify', 'schema');
const FLOOR = variant('createAppServer', 'constant');

/** The router at its best; and as an application that nobody has tuned has it. */
const ROUTER = variant('createAppServer', 'snapshot', { poweredBy: false });
const ROUTER_POWERED = variant('createAppServer', 'snapshot');
const asked = (ask: Variant['ask']): Variant => ({ ...ROUTER, ask });

/** One figure that the router promises: a ratio of two counts, and its limit. */
export interface CountTarget {
  readonly figure: string;
  readonly of: Variant;
  readonly to: Variant;
  readonly limit: Limit;
}

export const COUNT_TARGETS: readonly CountTarget[] = [
  { figure: 'x-powered-by off / bare node:http', of: ROUTER, to: BARE, limit: { atMost: 1.15 } },
  { figure: 'x-powered-by off / Fastify with a schema', of: ROUTER, to: FASTIFY, limit: { atMost: 0.97 } },
  { figure: 'x-powered-by on / Express constant buffer', of: ROUTER_POWERED, to: FLOOR, limit: { atMost: 0.97 } },
  { figure: 'GET /_api/endpoint / a 200', of: asked('server'), to: ROUTER, limit: { atMost: 1.1 } },
  ...(['400', '403', '405', '501'] as const).map((ask) => ({
    figure: `${ask} / a 200`,
    of: asked(ask),
    to: ROUTER,
    limit: { atMost: 1.1 },
  })),
];

/** What a change of the router may not make worse: their ratios to bare `node:http` are committed. */
export const GUARDED: readonly Variant[] = [ROUTER, ROUTER_POWERED, asked('400'), asked('405')];

/** What is counted on the Node that runs the bench. */
export const COUNTED: readonly Variant[] = [
  BARE,
  FASTIFY,
  FLOOR,
  { ...FLOOR, poweredBy: false },
  ROUTER_POWERED,
  ROUTER,
  ...(['server', '400', '403', '405', '501'] as const).map(asked),
  { ...ROUTER, handler: 'async' },
  { ...ROUTER, express: 4 },
  // The same code in another process: how far two counts of one thing are apart.
  { ...BARE, again: 1 },
  { ...ROUTER, again: 1 },
  { ...ROUTER_POWERED, again: 1 },
];

/** As `app.listen()` makes the server. */
const ON_APP_LISTEN: readonly Variant[] = [
  variant('app.listen', 'constant'),
  variant('app.listen', 'snapshot'),
  variant('app.listen', 'naive'),
];

/** What is counted beside that. */
export const COUNTED_BESIDE: readonly Variant[] = [
  ...ON_APP_LISTEN,
  variant('app.listen', 'snapshot', { express: 4 }),
  variant('app.listen', 'naive', { express: 4 }),
  ...ON_OTHER_SERVERS,
];

/** What is counted on other versions of Node too: which server is to be used there? */
export const COUNTED_ON_OTHER_NODES: readonly Variant[] = [
  BARE,
  FASTIFY,
  FLOOR,
  ROUTER_POWERED,
  ROUTER,
  ...ON_APP_LISTEN,
];
