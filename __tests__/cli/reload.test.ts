import type { ServerOptions } from '../../lib/config/index.js';
import { createReload } from '../../lib/cli/reload.js';

const STARTED = { endpoints: ['tcp://a:1'], role: 'coordinator', coordinators: [], myAddress: 'tcp://a:1' };

describe('A reading of the configuration while an engine holds the list', () => {
  it.each([
    [{}, 'the configuration has been read again'],
    [
      { coordinators: ['tcp://b:1'], myAddress: 'tcp://b:1', advertisedEndpoint: 'ssl://c:1', role: 'single' },
      'the configuration has been read again; a restart is needed for cluster.my-role, cluster.coordinator, ' +
        'cluster.my-address, cluster.my-advertised-endpoint',
    ],
  ])('with %j says what only a restart changes', (changes, line) => {
    const log: string[] = [];
    const load = (): ServerOptions => ({ ...STARTED, ...changes }) as unknown as ServerOptions;
    createReload(STARTED as unknown as ServerOptions, load, {}, (text) => log.push(text))();
    expect(log).toEqual([line]);
  });
});
