import { checkEndpoints, fetchEndpoints } from '../../lib/client/index.js';
import { createSrvDirectory } from '../../lib/dns-srv/index.js';
import { createEtcdDirectory } from '../../lib/etcd/index.js';
import { createHealthDirectory } from '../../lib/health/index.js';
import { createEndpointRouter } from '../../lib/index.js';
import { listenOn } from '../../lib/listen/index.js';
import { createListingPage } from '../../lib/page/index.js';
import { startTestCluster } from '../../lib/testing/index.js';
import { createUpstreamDirectory } from '../../lib/upstream/index.js';

type Factory = (options: never) => unknown;
const listen = (options: object) => listenOn(() => undefined, ['tcp://127.0.0.1:0'], options);

async function inflict(trouble: never): Promise<void> {
  const cluster = await startTestCluster({ coordinators: 1 });
  try {
    cluster.trouble(trouble);
  } finally {
    await cluster.close();
  }
}

it.each<[string, string, Factory, object]>([
  ['createEndpointRouter', 'timeoutMs', createEndpointRouter, { endpoints: [] }],
  ['createListingPage', 'timeoutMs', createListingPage, { endpoints: [] }],
  ['fetchEndpoints', 'timeoutMs', (options) => fetchEndpoints('http://127.0.0.1:1', options), {}],
  ['checkEndpoints', 'timeoutMs', (options) => checkEndpoints('http://127.0.0.1:1', options), {}],
  ['listenOn', 'closeTimeoutMs', listen, {}],
  ['createSrvDirectory', 'pollIntervalMs', createSrvDirectory, { name: '_a._tcp.example' }],
  ['createUpstreamDirectory', 'timeoutMs', createUpstreamDirectory, { servers: ['http://127.0.0.1:1'] }],
  ['createHealthDirectory', 'intervalMs', createHealthDirectory, { endpoints: [] }],
  ['createEtcdDirectory', 'connectTimeoutMs', createEtcdDirectory, { hosts: ['http://127.0.0.1:1'] }],
  ['trouble', 'intervalMs', inflict, { kind: 'slow-drip' }],
])(
  'An option that is a time is named with its unit; without it, the refusal says which was meant: %s, %s',
  async (caller, name, make, options) => {
    const old = name.replace(/Ms$/, '');
    const outcome = Promise.resolve().then(() => make({ ...options, [old]: 50 } as never));
    await expect(outcome).rejects.toThrow(new TypeError(`${caller}: unknown option "${old}", did you mean ${name}?`));
  },
);
