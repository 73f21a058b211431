/** Who makes the server: Express as `app.listen` does it, our `createAppServer`, or one without Express. */
export type ServerKind = 'app.listen' | 'createAppServer' | 'node:http' | 'fastify';

/**
 * What answers.
 *
 * - `constant`: bytes made beforehand, the least that anything on that server can do; `string`: the same as a text;
 * - `naive`: what one would write by hand; `schema`: the same in Fastify, with a response schema;
 * - `sync`, `async`, `snapshot`, `fresh`: our router with a provider that gives an array, a promise of it, a frozen array, or
 *   an equal array made anew for each request.
 */
export type Handler = 'constant' | 'string' | 'naive' | 'schema' | 'sync' | 'async' | 'snapshot' | 'fresh';

/** What is asked for: a listing, the other listing, or something that is refused with that status. */
export type Ask = 'cluster' | 'server' | '405' | '400' | '403' | '501';

/** One thing to measure. Each is run by a process of its own. */
export interface Variant {
  readonly server: ServerKind;
  readonly handler: Handler;
  /** How many endpoints are listed. */
  readonly size: number;
  readonly express: 4 | 5;
  readonly ask: Ask;
  /** Whether Express advertises itself, in a header that is set before the handler is reached. */
  readonly poweredBy: boolean;
}

export function variant(server: ServerKind, handler: Handler, rest: Partial<Variant> = {}): Variant {
  return { size: 3, express: 5, ask: 'cluster', poweredBy: true, ...rest, server, handler };
}

/** A variant from the command line: its server, its handler, and what is not as usual, as JSON. */
export function parseVariant(text: string): Variant {
  const { server, handler, ...rest } = JSON.parse(text) as Pick<Variant, 'server' | 'handler'> & Partial<Variant>;
  return variant(server, handler, rest);
}

const WHO: Readonly<Record<Handler, string>> = {
  constant: 'constant buffer',
  string: 'constant string',
  naive: 'a handler with res.json()',
  schema: 'response schema',
  sync: 'router, array',
  async: 'router, promise',
  snapshot: 'router, frozen array',
  fresh: 'router, fresh array',
};

/** A name for people, and the key by which variants are told apart. */
export function nameOf({ server, handler, size, express, ask, poweredBy }: Variant): string {
  const isOnExpress = server === 'app.listen' || server === 'createAppServer';
  return [
    isOnExpress ? `Express ${String(express)}, ${server}` : server,
    WHO[handler],
    ...(size === 3 ? [] : [`list of ${String(size)}`]),
    ...(ask === 'cluster' ? [] : [ask === 'server' ? 'GET /_api/endpoint' : ask]),
    ...(isOnExpress && poweredBy ? ['x-powered-by'] : []),
  ].join(', ');
}
