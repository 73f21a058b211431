import { chaos } from '../support/chaos/chaos.js';
import { ChaosWitness } from '../support/chaos/chaos-witness.js';
import { describeWithEngines } from '../support/etcd/engines.js';

const A = 'tcp://10.0.0.1:1';

describe('the witness of chaos', () => {
  const look = async (fate: 'alive' | 'dead', sinceMs: number, ...endpoints: string[]): Promise<readonly string[]> => {
    const witness = new ChaosWitness(17_000);
    const member = { endpoint: A, standing: { fate, since: performance.now() - sinceMs } };
    await witness.look(() => Promise.resolve({ status: 200, endpoints, age: undefined }), [member]);
    return witness.violations;
  };

  it('reports a member that is alive and missing, as soon as it may be expected', async () => {
    expect(await look('alive', 6100)).toEqual([`${A} is alive and missing`]);
    expect(await look('alive', 6100, A)).toEqual([]);
    expect(await look('alive', 5000)).toEqual([]);
  });

  it('reports a member that is dead and still listed', async () => {
    expect(await look('dead', 17_100, A)).toEqual([`${A} is dead and listed`]);
    expect(await look('dead', 17_100)).toEqual([]);
    expect(await look('dead', 16_000, A)).toEqual([]);
  });
});

/** As long as CHAOS_SECONDS says; CHAOS_SEED repeats the choices of a run. */
const seconds = Number(process.env['CHAOS_SECONDS'] ?? 60);
const seed = Number(process.env['CHAOS_SEED'] ?? Math.floor(Math.random() * 1_000_000));

jest.setTimeout((seconds + 300) * 1000);

describeWithEngines('a listing over which chaos reigns', ['etcd'], () =>
  it('has in every answer who was alive all along, and loses who is dead within twice the TTL and 5 s', async () => {
    // Before anything can fail: the seed repeats the choices, though not the moment at which each process comes to its turn.
    process.stderr.write(`chaos: ${String(seconds)} s, seed ${String(seed)}\n`);
    const report = await chaos(seconds, seed);
    process.stderr.write(`chaos: ${JSON.stringify(report)}\n`);
    expect(report.violations).toEqual([]);

    const kinds = Object.keys(report.faults).join();
    expect(kinds).toContain('member');
    expect(kinds).toContain('etcd node');
    const faults = Object.values(report.faults).reduce((sum, count) => sum + count, 0);
    expect(faults).toBeGreaterThanOrEqual(seconds / 6);
    expect(report.counts.answers).toBeGreaterThan(seconds * 10);
    expect(report.counts.checked).toBeGreaterThan(seconds * 10);
  }),
);
