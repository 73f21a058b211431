import { parseArgs } from 'node:util';
import { checkRatios, commitRatios, countOnly, runCounts } from './count-run.js';
import { findNodes } from './environment.js';
import { runQuick, runTimings } from './timing.js';
import { parseVariant } from './variant.js';

const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    quick: { type: 'boolean', default: false },
    count: { type: 'boolean', default: false },
    check: { type: 'boolean', default: false },
    commit: { type: 'boolean', default: false },
    growth: { type: 'boolean', default: false },
    rounds: { type: 'string', default: '15' },
    node: { type: 'string', multiple: true, default: [] },
  },
});

const nodes = await findNodes([process.execPath, ...options.node]);
if (options.growth) await import('./growth.js');
else if (options.check) await checkRatios();
else if (options.commit) await commitRatios(nodes);
else if (positionals.length > 0) await countOnly(positionals.map(parseVariant), nodes);
else if (options.count) await runCounts(nodes);
else if (options.quick) await runQuick(nodes);
else await runTimings(nodes, Number(options.rounds));
