import { conclude, numbersFrom } from './command-line.js';
import { HostProcess } from './host-process.js';
import { load, LOAD_TIMEOUT_MS } from './load.js';

/** `npm run hostile -- soak`: rounds of load on a host on each major of Express. */
const { rounds, requests, connections, seed } = numbersFrom(process.argv.slice(2), {
  rounds: 10,
  requests: 10_000,
  connections: 500,
});

for (const expressMajor of [5, 4] as const) {
  const host = await HostProcess.start({ expressMajor, timeoutMs: LOAD_TIMEOUT_MS });
  const { answers, heaps, faults } = await load(host, { rounds, requestsPerRound: requests, connections, seed });
  await host.stop();
  conclude(`load on Express ${String(expressMajor)}`, { answers, heaps }, faults);
}
