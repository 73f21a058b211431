import { createHost } from './hosts/index.js';
import { InProcess } from './in-process.js';
import type { Variant } from './variant.js';

/** The process whose instructions are counted: it answers as many requests as it is sent the number of, and says when it is done. */
const variant = JSON.parse(process.argv[2] ?? '') as Variant;
const instrument = await InProcess.open(await createHost(variant), variant);

process.on('message', (requests: number) => {
  void instrument.answer(requests).then(() => process.send?.('done'));
});
process.on('disconnect', () => process.exit());
process.send?.('ready');
