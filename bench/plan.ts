import { variant, type Variant } from './variant.js';

/** Variants that are measured in turns, so that their figures can be divided by one another. */
export interface Group {
  readonly title: string;
  /**
   * How often the group is measured, each time by new processes. On `app.listen` two processes with the same code differ by more
   * than what is to be measured, and only many processes tell.
   */
  readonly passes: number;
  readonly variants: readonly Variant[];
}

const NAIVE_SERVERS = ['hono', 'koa', 'polka', 'h3', 'router', 'connect'] as const;
const HOSTS_OF_THE_ROUTER = [...NAIVE_SERVERS, '@fastify/express', '@fastify/middie'] as const;
const SERVERS = ['app.listen', 'createAppServer'] as const;

/** The same code in several processes: how far their ratios are off 1 is the error of the instrument. */
const copies = (one: Variant, count: 2 | 3): Variant[] =>
  ([0, 1, 2] as const).slice(0, count).map((again) => ({ ...one, again }));

/** What every list is measured with. */
const always = (express: Variant['express'], size: number): Variant[] => [
  variant('node:http', 'constant', { size }),
  variant('fastify', 'schema', { size }),
  variant('app.listen', 'naive', { express, size }),
  variant('app.listen', 'constant', { express, size }),
  ...SERVERS.flatMap((server) => [
    ...copies(variant(server, 'sync', { express, size }), size === 3 || size === 10_000 ? 3 : 2),
    variant(server, 'snapshot', { express, size }),
  ]),
];

/** What is measured with the list of 3 only. */
const once = (express: Variant['express']): Variant[] => [
  ...SERVERS.flatMap((server) => [
    variant(server, 'async', { express }),
    ...(['server', '405', '400'] as const).map((ask) => variant(server, 'sync', { express, ask })),
  ]),
  ...[1, 10, 50].map((middlewares) => variant('app.listen', 'snapshot', { express, middlewares })),
  variant('createAppServer', 'naive', { express }),
  variant('createAppServer', 'constant', { express }),
];

/** The longest list beside the list of 3, for what length costs. */
const growth = (express: Variant['express']): Variant[] =>
  SERVERS.flatMap((server) => [
    variant(server, 'snapshot', { express }),
    variant(server, 'fresh', { express }),
    variant(server, 'fresh', { express, size: 10_000 }),
  ]);

/** For the group that most of the targets are about. */
const MANY_PASSES = 3;

/** Other servers: a handler such as one would write there, and the router wherever it can be mounted. */
export const ON_OTHER_SERVERS: readonly Variant[] = [
  ...NAIVE_SERVERS.map((server) => variant(server, 'naive')),
  ...HOSTS_OF_THE_ROUTER.map((server) => variant(server, 'snapshot')),
];

const OTHERS: Group = {
  title: 'Other servers, list of 3',
  passes: 1,
  variants: [
    variant('node:http', 'constant'),
    variant('fastify', 'schema'),
    ...ON_OTHER_SERVERS,
    ...SERVERS.flatMap((server) =>
      ([5, 4] as const).flatMap((express) => [
        variant(server, 'naive', { express }),
        variant(server, 'snapshot', { express }),
        variant(server, 'snapshot', { express, poweredBy: false }),
      ]),
    ),
  ],
};

const BY_SIZE: readonly Group[] = ([5, 4] as const).flatMap((express) =>
  [3, 1, 100, 1000, 10_000].map((size) => ({
    title: `Express ${String(express)}, list of ${String(size)}`,
    passes: express === 5 && size === 3 ? MANY_PASSES : 1,
    variants: [
      ...always(express, size),
      ...(size === 3 ? once(express) : []),
      ...(size === 10_000 ? growth(express) : []),
    ],
  })),
);

export const GROUPS: readonly Group[] = [...BY_SIZE, OTHERS];

/** Enough to see that everything still runs and answers right. */
export const QUICK_GROUPS = GROUPS.filter(({ title }) =>
  ['Express 5, list of 3', 'Express 4, list of 10000', OTHERS.title].includes(title),
);

/** What is measured again on other versions of Node, where the ratios are others. */
export const GROUPS_ON_OTHER_NODES: readonly Group[] = [
  {
    title: 'Express 5, list of 3',
    passes: 1,
    variants: [
      ...always(5, 3),
      ...SERVERS.map((server) => variant(server, 'async')),
      variant('createAppServer', 'naive'),
      variant('createAppServer', 'constant'),
    ],
  },
  OTHERS,
];

/** What is looked into: where does the time of a request go? */
export const PROFILED: readonly Variant[] = [
  variant('node:http', 'constant'),
  variant('fastify', 'schema'),
  variant('createAppServer', 'constant'),
  variant('createAppServer', 'sync'),
  variant('createAppServer', 'fresh', { size: 10_000 }),
  variant('app.listen', 'constant'),
  variant('app.listen', 'sync'),
];

/** What is measured over real sockets too. */
export const ON_SOCKETS: readonly Variant[] = [3, 100, 1000, 10_000].flatMap((size) => [
  variant('node:http', 'constant', { size }),
  variant('fastify', 'schema', { size }),
  ...SERVERS.flatMap((server) => [
    ...(server === 'app.listen' ? [variant(server, 'naive', { size })] : []),
    ...(size === 3 ? [variant(server, 'constant'), variant(server, 'async')] : []),
    variant(server, 'sync', { size }),
  ]),
]);

/** What is asked on few connections and on many. */
export const ON_CONNECTIONS: readonly Variant[] = [
  variant('node:http', 'constant'),
  variant('fastify', 'schema'),
  variant('app.listen', 'snapshot'),
  variant('createAppServer', 'snapshot'),
];

/** What is asked half as often as it can answer; those that stand together, equally often. */
export const AT_HALF_LOAD: readonly (readonly Variant[])[] = [
  [variant('node:http', 'constant'), variant('createAppServer', 'snapshot')],
  [variant('createAppServer', 'slow'), variant('createAppServer', 'coalesced')],
];
