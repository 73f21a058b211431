import { sharedOut } from '../../bench/profile.js';

const node = (id: number, functionName: string, url: string): Parameters<typeof sharedOut>[0]['nodes'][number] => ({
  id,
  callFrame: { functionName, url, scriptId: '0', lineNumber: 0, columnNumber: 0 },
});

describe('A CPU profile', () => {
  it('gives the time of each sample to whoever wrote the function that ran, and idle time to nobody', () => {
    const profile = {
      nodes: [
        node(1, '(idle)', ''),
        node(2, '(program)', ''),
        node(3, '(garbage collector)', ''),
        node(4, 'end', 'node:_http_outgoing'),
        node(5, 'handle', '/package/node_modules/router/index.js'),
        node(6, 'listEndpoints', '/package/dist/cjs/index.js'),
        node(7, 'push', 'file:///package/bench/dist/memory-socket.js'),
      ],
      startTime: 0,
      endTime: 0,
      samples: [1, 2, 3, 4, 5, 6, 7, 4],
      timeDeltas: [1000, 10, 20, 30, 40, 50, 60, 70],
    };
    expect(sharedOut(profile, 10)).toEqual({
      node: 10,
      framework: 4,
      router: 5,
      bench: 6,
      'garbage collector': 2,
      'native code': 1,
    });
  });
});
