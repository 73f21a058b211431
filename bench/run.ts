import { parseArgs } from 'node:util';
import { runInFull } from './full-run.js';
import { runQuick } from './quick-run.js';

const { quick } = parseArgs({ options: { quick: { type: 'boolean', default: false } } }).values;
if (quick) await runQuick();
else await runInFull();
