/** Who creates the server: Express as `app.listen` does it, our `createAppServer`, or one without Express. */
export type ServerKind = 'app.listen' | 'createAppServer' | 'node:http' | 'fastify' | OtherServer;

/** Servers that stand beside the others, and hosts that the router can be mounted on. */
export type OtherServer =
  'hono' | 'koa' | 'polka' | 'h3' | 'router' | 'connect' | '@fastify/express' | '@fastify/middie';

/** Whether Express handles the requests of a server by itself. */
export function isOnExpress(server: ServerKind): server is 'app.listen' | 'createAppServer' {
  return server === 'app.listen' || server === 'createAppServer';
}

/**
 * What answers.
 *
 * - `constant`: bytes made beforehand, the least that anything on that server can do;
 * - `naive`: what one would write by hand; `schema`: the same in Fastify, with a response schema;
 * - `sync`, `async`, `snapshot`, `fresh`: our router with a provider that gives an array, a promise of it, a frozen array, or
 *   an equal array made anew for each request;
 * - `slow`, `coalesced`: the same with a provider that takes 10 ms, alone and in `coalesce()`.
 */
export type Handler = 'constant' | 'naive' | 'schema' | 'sync' | 'async' | 'snapshot' | 'fresh' | 'slow' | 'coalesced';

/** What is asked for: a listing, the other listing, or something that is refused with that status. */
export type Ask = 'cluster' | 'server' | '405' | '400' | '403' | '501';

/** One thing to measure. Each is run by a process of its own. */
export interface Variant {
  readonly server: ServerKind;
  readonly handler: Handler;
  /** How many endpoints are listed. */
  readonly size: number;
  readonly express: 4 | 5;
  /** How many middlewares stand before the handler. */
  readonly middlewares: number;
  readonly ask: Ask;
  /** Whether Express advertises itself, in a header that is set before the handler is reached. */
  readonly poweredBy: boolean;
  /** 1 and 2: the same code once more, to see how far apart processes with the same code are. */
  readonly again: 0 | 1 | 2;
}

const USUAL = { size: 3, express: 5, middlewares: 0, ask: 'cluster', poweredBy: true, again: 0 } as const;

export function variant(server: ServerKind, handler: Handler, rest: Partial<Variant> = {}): Variant {
  return { ...USUAL, ...rest, server, handler };
}

/** A variant from the command line: its server, its handler, and what is not as usual, as JSON. */
export function parseVariant(text: string): Variant {
  const { server, handler, ...rest } = JSON.parse(text) as Pick<Variant, 'server' | 'handler'> & Partial<Variant>;
  return variant(server, handler, rest);
}

const WHO: Readonly<Record<Handler, string>> = {
  constant: 'constant buffer',
  naive: 'naive handler',
  schema: 'schema',
  sync: 'router, sync',
  async: 'router, async',
  snapshot: 'router, snapshot',
  fresh: 'router, fresh array',
  slow: 'router, provider of 10 ms',
  coalesced: 'router, provider of 10 ms, coalesced',
};

/** A name for people, and the key by which variants are told apart. */
export function nameOf({ server, handler, size, express, middlewares, ask, poweredBy, again }: Variant): string {
  return [
    isOnExpress(server) ? `express ${String(express)} ${server}` : server,
    WHO[handler],
    `list of ${String(size)}`,
    ...(middlewares > 0 ? [`behind ${String(middlewares)}`] : []),
    ...(ask === 'cluster' ? [] : [ask === 'server' ? 'GET /_api/endpoint' : ask]),
    ...(poweredBy ? [] : ['x-powered-by off']),
    ...(again > 0 ? [`again (${String(again)})`] : []),
  ].join(' | ');
}
