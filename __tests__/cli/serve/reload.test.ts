import { writeFile } from 'node:fs/promises';
import { connect, type DetailedPeerCertificate } from 'node:tls';
import { once } from 'node:events';
import { makeCertificate } from '../../support/certificate.js';
import { etcdScenario } from '../../support/etcd/etcd-scenario.js';
import { until } from '../../support/until.js';
import { gateways } from '../../support/gateway/gateways.js';

const PREFIX = 'express-endpoint-listing: ';

const { configured: running, scratchFile } = gateways();

const SERVER = ['[server]', 'endpoint = tcp://127.0.0.1:0'];
const COORDINATOR = [...SERVER, '[cluster]', 'my-role = COORDINATOR'];
const coordinators = (...names: string[]): string[] => names.map((name) => `coordinator = tcp://${name}:1`);

describe('SIGHUP', () => {
  it('reads the configuration again: another list is served at once', async () => {
    await running([...COORDINATOR, ...coordinators('a')], async ({ listed, hangUp, url }) => {
      expect(await listed()).toEqual(['tcp://a:1']);
      expect(await hangUp(...COORDINATOR, ...coordinators('b', 'c'))).toBe(
        'configuration reloaded: changed cluster.coordinator',
      );
      expect(await listed()).toEqual(['tcp://b:1', 'tcp://c:1']);
      expect(await hangUp(...COORDINATOR, 'my-address = tcp://me:1')).toBe(
        'configuration reloaded: changed cluster.coordinator, cluster.my-address',
      );
      expect(await listed()).toEqual(['tcp://me:1']);
      expect(await hangUp(...COORDINATOR)).toBe('configuration reloaded: changed cluster.my-address');
      expect(await listed()).toEqual([url.replace('http:', 'tcp:')]);
      // What the server listens on waits for a restart, which holds up nothing else.
      const other = ['[server]', 'endpoint = tcp://127.0.0.1:1', '[cluster]', 'my-role = COORDINATOR'];
      expect(await hangUp(...other, ...coordinators('d'))).toBe(
        'configuration reloaded: changed cluster.coordinator; a restart is needed for server.endpoint',
      );
      expect(await listed()).toEqual(['tcp://d:1']);
    });
  });

  it('changes nothing when the configuration is broken, and names every problem in one line', async () => {
    await running([...COORDINATOR, ...coordinators('a')], async ({ listed, hangUp }) => {
      const line = await hangUp(...COORDINATOR, ...coordinators('b'), 'nonsense', 'endpiont = 1');
      expect(line).toMatch(
        /^reload failed, keeping the current configuration: 2 problems in the configuration: .*a\.conf:6: "\.\.\.": .*; .*a\.conf:7: "endpiont": /,
      );
      expect(await listed()).toEqual(['tcp://a:1']);
    });
  });

  it.each<[string, string[], string]>([
    [
      'the list comes from etcd',
      [...COORDINATOR, 'agency-endpoint = http://127.0.0.1:1', 'my-address = tcp://me:1'],
      'cluster.coordinator, cluster.agency-endpoint, cluster.my-address',
    ],
    [
      'the list comes from DNS',
      [...COORDINATOR, 'my-srv-name = _a._tcp.example'],
      'cluster.coordinator, cluster.my-srv-name',
    ],
    ['the role changes', [...SERVER, '[cluster]', 'my-role = DBSERVER'], 'cluster.my-role, cluster.coordinator'],
    [
      'the role changes together with the list',
      [...SERVER, '[cluster]', 'my-role = DBSERVER', ...coordinators('z')],
      'cluster.my-role, cluster.coordinator',
    ],
    ['the file says nothing of a cluster any more', SERVER, 'cluster.my-role, cluster.coordinator'],
  ])('keeps all of the old list until a restart when %s', async (_, next, waiting) => {
    await running([...COORDINATOR, ...coordinators('a', 'b')], async ({ listed, hangUp }) => {
      const line = `configuration reloaded: nothing changed; a restart is needed for ${waiting}`;
      expect(await hangUp(...next)).toBe(line);
      expect(await listed()).toEqual(['tcp://a:1', 'tcp://b:1']);
      // It is needed still.
      expect(await hangUp(...next)).toBe(line);
      expect(await listed()).toEqual(['tcp://a:1', 'tcp://b:1']);
      expect(await hangUp(...COORDINATOR, ...coordinators('c'))).toBe(
        'configuration reloaded: changed cluster.coordinator',
      );
      expect(await listed()).toEqual(['tcp://c:1']);
    });
  });

  it('keeps the old list when the new one would have nothing in it that a client can use', async () => {
    const wildcard = ['[server]', 'endpoint = tcp://0.0.0.0:0', '[cluster]', 'my-role = COORDINATOR'];
    await running([...wildcard, ...coordinators('a')], async ({ listed, hangUp }) => {
      expect(await hangUp(...wildcard)).toContain(
        'reload failed, keeping the current configuration: a coordinator that listens on tcp://0.0.0.0:0 needs --cluster.my-address',
      );
      expect(await listed()).toEqual(['tcp://a:1']);
    });
  });

  it('changes format and level of the log at once', async () => {
    await running([...COORDINATOR, ...coordinators('a')], async ({ hangUp, terminal, listed }) => {
      expect(JSON.parse(await hangUp(...COORDINATOR, ...coordinators('a'), '[log]', 'format = json'))).toMatchObject({
        level: 'info',
        event: 'reloaded',
        message: 'configuration reloaded: changed log.format',
        changed: ['log.format'],
        restartNeededFor: [],
      });
      void hangUp(...COORDINATOR, ...coordinators('b'), '[log]', 'level = error');
      await until('the other list is served', async () => String(await listed()) === 'tcp://b:1');
      expect(terminal.complaints).toEqual([]);
    });
  });

  it('names options of the reference server that are new in the file', async () => {
    await running([...COORDINATOR, ...coordinators('a')], async ({ hangUp, terminal }) => {
      await hangUp(...COORDINATOR, ...coordinators('a'), '[log]', 'file = -');
      expect(terminal.complaints).toContain(`${PREFIX}warn: ignoring options of the reference server: log.file`);
      await hangUp(...COORDINATOR, ...coordinators('a'), '[log]', 'file = -');
      expect(terminal.complaints).not.toContain(`${PREFIX}warn: ignoring options of the reference server: log.file`);
    });
  });
});

describe('SIGHUP while etcd holds the list', () => {
  const scenario = etcdScenario();

  it('changes nothing of the list, and says what only a restart changes', async () => {
    const gateway = await scenario.gateway();
    const etcd = [...COORDINATOR, `agency-endpoint = ${gateway.url}`, 'my-address = tcp://me:1'];
    await running(etcd, async ({ listed, hangUp }) => {
      expect(await hangUp(...etcd)).toBe('configuration reloaded: nothing changed');
      expect(
        await hangUp(
          ...COORDINATOR,
          ...coordinators('b'),
          'my-address = tcp://you:1',
          'my-advertised-endpoint = ssl://c:1',
        ),
      ).toBe(
        'configuration reloaded: nothing changed; a restart is needed for cluster.coordinator, cluster.agency-endpoint, cluster.my-address, ' +
          'cluster.my-advertised-endpoint',
      );
      expect(await listed()).toEqual(['tcp://me:1']);
    });
  });
});

describe('SIGHUP with another certificate', () => {
  const keyfile = (name: string): string => scratchFile(name);
  const fingerprint = async (url: string): Promise<string> => {
    const socket = connect({ port: Number(new URL(url).port), host: '127.0.0.1', rejectUnauthorized: false });
    await once(socket, 'secureConnect');
    const { fingerprint256 } = socket.getPeerCertificate() as DetailedPeerCertificate;
    socket.destroy();
    return fingerprint256;
  };
  const writeCertificate = async (name: string): Promise<void> => {
    const { key, cert } = await makeCertificate();
    await writeFile(keyfile(name), `${cert}\n${key}`);
  };
  const configuration = (name: string): string[] => [
    '[server]',
    'endpoint = ssl://127.0.0.1:0',
    '[ssl]',
    `keyfile = ${keyfile(name)}`,
  ];

  it('gives it to new connections, whether it is in the same file or in another; a broken one changes nothing', async () => {
    await writeCertificate('same.pem');
    await writeCertificate('other.pem');
    await running(configuration('same.pem'), async ({ hangUp, terminal, url }) => {
      const first = await fingerprint(url);
      await writeCertificate('same.pem');
      expect(await fingerprint(url)).toBe(first);

      expect(await hangUp(...configuration('same.pem'))).toBe('configuration reloaded: nothing changed');
      expect(terminal.complaints).toContain(`${PREFIX}new connections get the certificate of ${keyfile('same.pem')}`);
      const second = await fingerprint(url);
      expect(second).not.toBe(first);

      await writeFile(keyfile('same.pem'), 'broken');
      expect(await hangUp(...configuration('same.pem'), '[log]', 'level = warn')).toMatch(
        /^reload failed in part: the certificate in use stays: the keyfile .* holds no certificate and no private key.*; changed log\.level$/,
      );
      expect(terminal.complaints).toHaveLength(1);
      expect(await fingerprint(url)).toBe(second);

      expect(await hangUp(...configuration('other.pem'))).toBe(
        'configuration reloaded: changed ssl.keyfile, log.level',
      );
      expect(await fingerprint(url)).not.toBe(second);

      expect(await hangUp('[server]', 'endpoint = ssl://127.0.0.1:0')).toBe(
        'configuration reloaded: nothing changed; a restart is needed for ssl.keyfile',
      );
    });
  });

  it('needs a restart where no endpoint has one', async () => {
    await running(SERVER, async ({ hangUp }) => {
      expect(await hangUp(...SERVER, '[ssl]', `keyfile = ${keyfile('same.pem')}`)).toBe(
        'configuration reloaded: nothing changed; a restart is needed for ssl.keyfile',
      );
    });
  });
});
