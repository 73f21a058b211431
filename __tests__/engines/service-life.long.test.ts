import { Database } from 'arangojs';
import { X509Certificate } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect } from 'node:tls';
import { builtPackage } from '../support/package/built-package.js';
import { makeCertificate } from '../support/certificate.js';
import { askEtcd, rangeOf } from '../support/etcd/etcd-ask.js';
import { describeWithEngines } from '../support/etcd/engines.js';
import { startEtcd, type Etcd } from '../support/etcd/etcd.js';
import { end, start, type Started } from '../support/process/child.js';
import { freePort } from '../support/process/free-port.js';
import { pause, until } from '../support/until.js';

interface LogEvent {
  readonly level: string;
  readonly event: string;
  readonly message: string;
}

/** One Coordinator as a supervisor runs it: a process that is started again on the same ports, with a configuration file of its own. */
class Service {
  readonly endpoint: string;
  readonly #tlsPort: number;
  readonly #folder: string;
  #running: Started | undefined;

  private constructor(folder: string, port: number, tlsPort: number) {
    this.#folder = folder;
    this.#tlsPort = tlsPort;
    this.endpoint = `tcp://127.0.0.1:${String(port)}`;
  }

  static async create(agency: readonly string[]): Promise<Service> {
    const folder = mkdtempSync(join(tmpdir(), 'service-'));
    const service = new Service(folder, await freePort(), await freePort());
    await service.writeCertificate();
    service.configure(agency);
    return service;
  }

  configure(agency: readonly string[]): void {
    const lines = [
      '[server]',
      `endpoint = ${this.endpoint}`,
      `endpoint = ssl://127.0.0.1:${String(this.#tlsPort)}`,
      '[ssl]',
      `keyfile = ${join(this.#folder, 'server.pem')}`,
      '[cluster]',
      'my-role = COORDINATOR',
      `my-address = ${this.endpoint}`,
      ...agency.map((url) => `agency-endpoint = ${url}`),
      'wait = 120',
      '[log]',
      'format = json',
    ];
    writeFileSync(join(this.#folder, 'service.conf'), `${lines.join('\n')}\n`);
  }

  breakConfiguration(): void {
    writeFileSync(join(this.#folder, 'service.conf'), '[sever]\nendpoint = tcp://127.0.0.1:1\n');
  }

  /** Puts another certificate in the place of the one that is there; its fingerprint. */
  async writeCertificate(): Promise<string> {
    const { key, cert } = await makeCertificate();
    writeFileSync(join(this.#folder, 'server.pem'), `${cert}\n${key}`);
    return new X509Certificate(cert).fingerprint256;
  }

  async start(): Promise<void> {
    const { folder } = await builtPackage();
    const args = ['--configuration', join(this.#folder, 'service.conf'), '--shutdown-delay', '2'];
    this.#running = start(process.execPath, [join(folder, 'dist/esm/cli.js'), ...args]);
  }

  events(): LogEvent[] {
    const lines = this.#running?.stderr().split('\n').slice(0, -1) ?? [];
    return lines.map((line) => JSON.parse(line) as LogEvent);
  }

  async logged(name: string): Promise<void> {
    await until(`${this.endpoint} logs ${name}`, () => this.events().some(({ event }) => event === name), 120_000);
  }

  signal(signal: NodeJS.Signals): void {
    this.#running?.child.kill(signal);
  }

  /** As a supervisor does it: SIGTERM, then wait; the exit code. */
  async stop(): Promise<number | null | undefined> {
    if (this.#running !== undefined) await end(this.#running.child, 'SIGTERM');
    return this.#running?.child.exitCode;
  }

  /** The certificate that a new connection gets. */
  async servedFingerprint(): Promise<string> {
    const socket = connect({ host: '127.0.0.1', port: this.#tlsPort, rejectUnauthorized: false });
    await once(socket, 'secureConnect');
    const { fingerprint256 } = socket.getPeerCertificate();
    socket.destroy();
    return fingerprint256;
  }

  async remove(): Promise<void> {
    if (this.#running !== undefined) await end(this.#running.child);
    rmSync(this.#folder, { recursive: true });
  }
}

/** A client that takes the list from whoever is listed, asks round robin, and never stops. */
class Client {
  readonly failures: unknown[] = [];
  requests = 0;
  #listed: readonly string[];
  #driver: Database;
  readonly #stopped = new AbortController();
  readonly #ended: Promise<void>;

  constructor(first: string) {
    this.#listed = [first];
    this.#driver = driverOf(this.#listed);
    this.#ended = this.#run();
  }

  get listed(): readonly string[] {
    return this.#listed;
  }

  async stop(): Promise<void> {
    this.#stopped.abort();
    await this.#ended;
    this.#driver.close();
  }

  async #run(): Promise<void> {
    while (!this.#stopped.signal.aborted) {
      try {
        this.requests += 1;
        const body: unknown = await this.#driver.request({ pathname: '/_api/cluster/endpoints' });
        const { endpoints } = body as { endpoints: { endpoint: string }[] };
        this.#take(endpoints.map(({ endpoint }) => endpoint));
      } catch (error) {
        this.failures.push(error);
      }
      await pause(5);
    }
  }

  #take(list: readonly string[]): void {
    if (list.join() === this.#listed.join()) return;
    this.#driver.close();
    this.#listed = list;
    this.#driver = driverOf(list);
  }
}

function driverOf(list: readonly string[]): Database {
  return new Database({ url: [...list], loadBalancingStrategy: 'ROUND_ROBIN' });
}

describeWithEngines('the life of a service with three Coordinators', ['etcd'], () => {
  let etcd: Etcd;
  let services: Service[] = [];
  let client: Client | undefined;

  beforeAll(async () => {
    etcd = await startEtcd();
    services = await Promise.all([1, 2, 3].map(() => Service.create(etcd.urls)));
  });
  afterAll(async () => {
    await client?.stop();
    await Promise.all(services.map((service) => service.remove()));
    await etcd.close();
  });

  const all = (): string[] => services.map(({ endpoint }) => endpoint).sort();

  it('has no failed request: registry unreachable at startup, rolling restart, new certificate, broken file, SIGTERM', async () => {
    const [registry] = etcd.nodes;
    if (registry === undefined) throw new Error('etcd has no node');
    await registry.stop('SIGTERM');
    await Promise.all(services.map((service) => service.start()));
    await Promise.all(services.map((service) => service.logged('waiting')));
    await registry.start();
    await Promise.all(services.map((service) => service.logged('ready')));

    const running = (client = new Client(services[0]?.endpoint ?? ''));
    await until('the client knows all three', () => running.listed.join() === all().join(), 60_000);

    for (const service of services) {
      const others = all().filter((endpoint) => endpoint !== service.endpoint);
      const stopped = service.stop();
      await until('the client has heard of it', () => running.listed.join() === others.join(), 60_000);
      await expect(stopped).resolves.toBe(0);
      await service.start();
      await service.logged('ready');
      await until('the client knows all three again', () => running.listed.join() === all().join(), 60_000);
    }

    for (const service of services) {
      const before = await service.servedFingerprint();
      const renewed = await service.writeCertificate();
      service.signal('SIGHUP');
      await service.logged('certificate-renewed');
      expect([before, await service.servedFingerprint()]).toEqual([expect.not.stringMatching(renewed), renewed]);

      service.breakConfiguration();
      service.signal('SIGHUP');
      await service.logged('reload-failed');
    }
    const requests = running.requests;
    await until('a hundred requests more', () => running.requests > requests + 100, 60_000);

    expect(running.listed).toEqual(all());
    await running.stop();
    expect(running.failures).toEqual([]);

    await expect(Promise.all(services.map((service) => service.stop()))).resolves.toEqual([0, 0, 0]);
    const errors = services.flatMap((service) => service.events().filter(({ level }) => level === 'error'));
    expect(errors.map(({ event }) => event)).toEqual(['reload-failed', 'reload-failed', 'reload-failed']);
    const { count = '0' } = await askEtcd(etcd.urls[0] ?? '', '/v3/kv/range', rangeOf('/coordinators/'));
    expect(count).toBe('0');
  });
});
