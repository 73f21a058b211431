import { load } from '../support/process/config-folder.js';
import {
  composeArgs,
  containerArgs,
  deployFile,
  imageCommand,
  manifestOf,
  unitArgs,
} from '../support/deploy/deploy-files.js';

const AGENCY = { agencyEndpoints: ['http://etcd:2379'] };

describe('The command takes the options of', () => {
  it('the Dockerfile, which has a file of defaults and no arguments', () => {
    expect(imageCommand()).toEqual(['node', 'node_modules/express-endpoint-listing/dist/esm/cli.js']);
    const args = ['--configuration-defaults', 'container.conf'];
    expect(load({ 'container.conf': deployFile('container.conf') }, { args })).toMatchObject({
      role: 'single',
      endpoints: ['tcp://0.0.0.0:8529'],
      statusEndpoints: [],
      statusSocket: '/run/endpoint-listing/status.sock',
    });
  });

  it('the compose file, for each of its three Coordinators', () => {
    const loaded = composeArgs().map((args) => load({}, { args }));
    expect(loaded).toMatchObject([
      { ...AGENCY, role: 'coordinator', myAddress: 'tcp://coordinator1:8529', waitSeconds: 60 },
      { ...AGENCY, role: 'coordinator', myAddress: 'tcp://coordinator2:8529', waitSeconds: 60 },
      { ...AGENCY, role: 'coordinator', myAddress: 'tcp://coordinator3:8529', waitSeconds: 60 },
    ]);
    expect(loaded.map(({ advertisedEndpoint }) => advertisedEndpoint)).toEqual([
      'tcp://127.0.0.1:8531',
      'tcp://127.0.0.1:8532',
      'tcp://127.0.0.1:8533',
    ]);
  });

  it('the systemd unit', () => {
    const [name, file, ...others] = unitArgs();
    expect([name, file, others]).toEqual(['--configuration', '/etc/express-endpoint-listing.conf', []]);
  });

  it('the StatefulSet of Coordinators that find each other by DNS', () =>
    expect(load({}, { args: containerArgs('kubernetes/cluster.yaml', 'StatefulSet') })).toMatchObject({
      role: 'coordinator',
      endpoints: ['tcp://[::]:8529'],
      statusEndpoints: ['tcp://[::]:8530'],
      srvName: '_listing._tcp.coordinators.default.svc.cluster.local',
      myAddress: 'tcp://coordinator-0.coordinators.default.svc.cluster.local:8529',
      waitSeconds: 60,
      shutdownDelaySeconds: 5,
      logFormat: 'json',
    }));

  it("the gateway's Deployment, and of the file in its ConfigMap", () => {
    const { data } = manifestOf('kubernetes/gateway.yaml', 'ConfigMap') as { data: Record<string, string> };
    const args = containerArgs('kubernetes/gateway.yaml').map((arg) => arg.replace('/etc/endpoint-listing/', ''));
    expect(load({ 'endpoint-listing.conf': data['endpoint-listing.conf'] ?? '' }, { args })).toMatchObject({
      role: 'coordinator',
      endpoints: ['tcp://[::]:8529'],
      statusEndpoints: ['tcp://[::]:8530'],
      upstreams: [
        'http://coordinator-0.coordinators.db.svc.cluster.local:8529',
        'http://coordinator-1.coordinators.db.svc.cluster.local:8529',
      ],
      healthCheck: true,
      waitSeconds: 60,
      shutdownDelaySeconds: 5,
      logFormat: 'json',
    });
  });
});
