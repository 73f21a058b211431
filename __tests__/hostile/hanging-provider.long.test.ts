import { hangProvider } from '../support/hostile/hanging-provider.js';

describe.each([5, 4] as const)('A host on Express %i whose provider never answers', (expressMajor) => {
  it('answers 503 at the timeout, serves others meanwhile, and with coalesce has one call at work', async () => {
    const { calls, faults } = await hangProvider(expressMajor, 300);

    expect(faults).toEqual([]);
    expect(calls.own).toBe(300);
    expect(calls.shared).toBeLessThan(10);
  });
});
