import { parseArgs } from 'node:util';
import { checkRatios, commitRatios, countOnly, runCounts } from './count-run.js';
import { runHalfLoad, runQuick, runTimings } from './timing-run.js';
import { parseVariant } from './variant.js';

const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    quick: { type: 'boolean', default: false },
    'half-load': { type: 'boolean', default: false },
    count: { type: 'boolean', default: false },
    check: { type: 'boolean', default: false },
    commit: { type: 'boolean', default: false },
    node: { type: 'string', multiple: true, default: ['22', '24'] },
  },
});

if (options.check) await checkRatios();
else if (options.commit) await commitRatios();
else if (positionals.length > 0) await countOnly(positionals.map(parseVariant));
else if (options.count) await runCounts(options.node);
else if (options['half-load']) await runHalfLoad();
else if (options.quick) await runQuick();
else await runTimings(options.node);
