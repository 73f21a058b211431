import { conclude, numbersFrom } from './command-line.js';
import { hangProvider } from './hanging-provider.js';
import { HostProcess } from './host-process.js';
import { LOST_CLIENTS_TIMEOUT_MS, loseClients } from './lost-clients.js';
import { attackWithRawRequests } from './raw/attack.js';

/** `npm run hostile`: hostile bytes, lost clients and a provider that hangs, against a host on each major of Express. */
const { requests, clients, hanging, seed } = numbersFrom(process.argv.slice(2), {
  requests: 20_000,
  clients: 500,
  hanging: 1_000,
});

for (const expressMajor of [5, 4] as const) {
  const on = `on Express ${String(expressMajor)}`;
  const attacked = await HostProcess.start({ expressMajor, timeoutMs: 5_000 });
  const { sent, answers, faults } = await attackWithRawRequests(attacked, requests, seed);
  await attacked.stop();
  conclude(`raw requests ${on}`, { sent, answers }, faults);

  const left = await HostProcess.start({ expressMajor, timeoutMs: LOST_CLIENTS_TIMEOUT_MS });
  const { aborted, heaps, faults: leaks } = await loseClients(left, { clients, rounds: 4 });
  await left.stop();
  conclude(`clients that never read, and clients that vanish, ${on}`, { clients, aborted, heaps }, leaks);

  const { calls, longestTurnMs, faults: failures } = await hangProvider(expressMajor, hanging);
  conclude(`a provider that hangs ${on}`, { requests: hanging, calls, longestTurnMs }, failures);
}
