import { HostProcess } from '../support/hostile/host-process.js';
import { LOST_CLIENTS_TIMEOUT_MS, loseClients } from '../support/hostile/lost-clients.js';

describe.each([5, 4] as const)(
  'A host on Express %i with clients that never read and clients that vanish',
  (expressMajor) => {
    it('serves the others, aborts the signal of each that left, and keeps nothing of them', async () => {
      const host = await HostProcess.start({ expressMajor, timeoutMs: LOST_CLIENTS_TIMEOUT_MS });

      const { aborted, faults } = await loseClients(host, { clients: 60, rounds: 3 });
      await host.stop();

      expect(faults).toEqual([]);
      expect(aborted).toBe(180);
    });
  },
);
