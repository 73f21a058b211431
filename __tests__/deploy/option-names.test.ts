import { load } from '../support/process/config-folder.js';
import { composeArgs, containerArgs, manifestOf, readDockerfile, unitArgs } from '../support/deploy/deploy-files.js';

const AGENCY = { agencyEndpoints: ['http://etcd:2379'] };

describe('The command takes the options of', () => {
  it('the Dockerfile', () => {
    const { command } = readDockerfile();
    expect(command.slice(0, 2)).toEqual(['node', 'node_modules/express-endpoint-listing/dist/esm/cli.js']);
    expect(load({}, { args: command.slice(2) })).toMatchObject({
      role: 'single',
      endpoints: ['tcp://0.0.0.0:8529'],
      statusEndpoints: ['tcp://127.0.0.1:8530'],
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

  it('the Deployment of Coordinators that find each other by DNS', () => {
    expect(load({}, { args: containerArgs('kubernetes/cluster.yaml') })).toMatchObject({
      role: 'coordinator',
      endpoints: ['tcp://[::]:8529'],
      statusEndpoints: ['tcp://[::]:8530'],
      srvName: '_listing._tcp.coordinators.default.svc.cluster.local',
      myAddress: 'tcp://10.1.2.3:8529',
      waitSeconds: 60,
      shutdownDelaySeconds: 5,
      logFormat: 'json',
    });
  });

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
