import { spawnSync } from 'node:child_process';
import { metricsText } from '../../../lib/cli/serve/metrics.js';
import { describeWithEngines, engineFile } from '../../support/etcd/engines.js';
import { SNAPSHOT, STATES } from '../../support/metrics/snapshots.js';

describeWithEngines('promtool check metrics', ['promtool'], () => {
  const checked = (input: string) => {
    const { status, stdout, stderr } = spawnSync(engineFile('promtool'), ['check', 'metrics'], {
      input,
      encoding: 'utf8',
      timeout: 60_000,
    });
    return { status, said: stdout + stderr };
  };

  it.each(Object.entries(STATES))('has nothing to say of the metrics of a server that is %s', (_name, state) =>
    expect(checked(metricsText({ ...SNAPSHOT, ...state }))).toEqual({ status: 0, said: '' }),
  );

  it('finds a counter whose name is not that of one', () => {
    const text = metricsText({ ...SNAPSHOT, ...STATES.live }).replaceAll('reloads_total', 'reloads');
    expect(checked(text).said).toContain('counter metrics should have "_total" suffix');
  });
});
