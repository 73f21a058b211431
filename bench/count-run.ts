import { availableParallelism } from 'node:os';
import { countInstructions } from './count-process.js';
import { nameOf, variant, type Variant } from './variant.js';

/** What is counted unless variants are named on the command line, as JSON. */
const VARIANTS: readonly Variant[] = [
  variant('node:http', 'constant'),
  variant('fastify', 'schema'),
  ...[true, false].flatMap((poweredBy) => [
    variant('createAppServer', 'constant', { poweredBy }),
    variant('createAppServer', 'snapshot', { poweredBy }),
  ]),
  ...(['server', '400', '403', '405', '501'] as const).map((ask) =>
    variant('createAppServer', 'snapshot', { poweredBy: false, ask }),
  ),
  variant('createAppServer', 'async', { poweredBy: false }),
  variant('createAppServer', 'snapshot', { poweredBy: false, express: 4 }),
];

const named = process.argv.slice(2).map((text) => {
  const { server, handler, ...rest } = JSON.parse(text) as Pick<Variant, 'server' | 'handler'> & Partial<Variant>;
  return variant(server, handler, rest);
});
const waiting = [...(named.length > 0 ? named : VARIANTS)];
const counts = new Map<Variant, number>();

async function lane(): Promise<void> {
  for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
    const count = await countInstructions(next);
    counts.set(next, count);
    console.log(`${(count / 1000).toFixed(1).padStart(7)}  ${nameOf(next)}`);
  }
}
console.log('thousand instructions a request');
await Promise.all(Array.from({ length: Math.min(2, availableParallelism()) }, lane));
