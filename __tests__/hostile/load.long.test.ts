import { HostProcess } from '../support/hostile/host-process.js';
import { load, LOAD_TIMEOUT_MS } from '../support/hostile/load.js';

describe.each([5, 4] as const)(
  'A host on Express %i whose provider takes its time, fails and hangs',
  (expressMajor) => {
    it('gives each request the one answer that fits, and keeps no memory, no timer and no listener', async () => {
      const host = await HostProcess.start({ expressMajor, timeoutMs: LOAD_TIMEOUT_MS });

      const { answers, heaps, faults } = await load(host, {
        rounds: 10,
        requestsPerRound: 200,
        connections: 50,
        seed: 7,
      });
      await host.stop();

      expect(faults).toEqual([]);
      expect(heaps).toHaveLength(10);
      expect(Object.keys(answers)).toEqual(['200', '500', '503']);
      expect(Object.values(answers).reduce((sum, count) => sum + count)).toBe(2_000);
    });
  },
);
