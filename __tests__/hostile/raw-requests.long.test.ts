import { HostProcess } from '../support/hostile/host-process.js';
import { attackWithRawRequests } from '../support/hostile/raw/attack.js';

describe.each([5, 4] as const)('A host on Express %i that is sent hostile bytes', (expressMajor) => {
  it('gives defined answers, no listing outside _system, and serves the next request on a fresh connection', async () => {
    const host = await HostProcess.start({ expressMajor, timeoutMs: 5_000 });

    const { sent, answers, faults } = await attackWithRawRequests(host, 1_400, 20_240_229);
    await host.stop();

    expect(faults).toEqual([]);
    expect(sent).toBeGreaterThanOrEqual(2_000);
    // The attack gets as far as it is meant to: to the listings, to every refusal, and to the parser of Node.
    expect(Object.keys(answers)).toEqual(
      expect.arrayContaining([
        '200',
        '400 / 1229',
        '400 / 1230',
        '403 / 1230',
        '405',
        '404 host',
        '400 node',
        '431 node',
      ]),
    );
  });
});
