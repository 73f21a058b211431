import { copyFile, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startTestCluster, type TestCluster } from '../../lib/testing/index.js';
import { makeCertificate, type Certificate } from '../support/certificate.js';
import { builtPackage } from '../support/package/built-package.js';
import { end, start, untilReady, type Started } from '../support/process/child.js';
import { runCommand } from '../support/process/command.js';
import { freePort } from '../support/process/free-port.js';
import { until } from '../support/until.js';

describe('nginx in front of a cluster, as example/gateway/nginx.conf has it', () => {
  let cluster: TestCluster;
  const started: Started[] = [];
  let folder: string;
  let packageFolder: string;
  let certificate: Certificate;
  let proxy: string;

  async function startUntil(isUp: () => Promise<boolean>, command: string, args: string[]): Promise<void> {
    const program = start(command, args);
    started.push(program);
    await untilReady(program, isUp);
  }

  /** The endpoints that the proxy lists, asked over TLS with its authority. */
  const asked = (): Promise<Record<'fetchEndpoints' | 'arangojs8' | 'arangojs10', unknown>> =>
    runCommand('env', [`NODE_EXTRA_CA_CERTS=${join(folder, 'cert.pem')}`, process.execPath, '__drivers.mjs', proxy], {
      cwd: packageFolder,
    }).then((text) => JSON.parse(text) as never);
  const listens = (url: string) => async (): Promise<boolean> =>
    fetch(url).then(
      () => true,
      () => false,
    );

  beforeAll(async () => {
    ({ folder: packageFolder } = await builtPackage());
    folder = await mkdtemp(join(tmpdir(), 'nginx-'));
    certificate = await makeCertificate();
    await writeFile(join(folder, 'cert.pem'), certificate.cert);
    await writeFile(join(folder, 'key.pem'), certificate.key);
    await copyFile(
      join(__dirname, '../support/gateway/drivers-through-proxy.mjs'),
      join(packageFolder, '__drivers.mjs'),
    );

    cluster = await startTestCluster({
      routes(router) {
        router.get('/secret', (_req, res) => {
          res.status(403).json({ code: 403, error: true, errorMessage: 'forbidden', errorNum: 11 });
        });
      },
    });

    const [own, outside] = [await freePort(), await freePort()];
    const rules = cluster.endpoints.flatMap((endpoint, index) => [
      '--cluster.translate',
      `${endpoint}=ssl://db${String(index + 1)}.example:443`,
    ]);
    const upstreams = cluster.endpoints.flatMap((endpoint) => ['--cluster.upstream', endpoint]);
    await startUntil(listens(`http://127.0.0.1:${String(own)}/`), process.execPath, [
      join(packageFolder, 'dist/esm/cli.js'),
      ...['--server.endpoint', `tcp://127.0.0.1:${String(own)}`, '--cluster.my-role', 'COORDINATOR'],
      ...[...upstreams, ...rules, '--cluster.health-check', 'true', '--cluster.health-check-interval', '1'],
    ]);

    let config = await readFile(join(__dirname, '../../example/gateway/nginx.conf'), 'utf8');
    const replace = (text: string, by: string): void => {
      expect(config).toContain(text);
      config = config.replace(text, by);
    };
    replace('server 127.0.0.1:8529', `server 127.0.0.1:${String(own)}`);
    cluster.endpoints.forEach((endpoint, index) =>
      replace(`server 10.0.0.1${String(index + 1)}:8529`, `server ${endpoint.slice('tcp://'.length)}`),
    );
    replace('listen 443 ssl', `listen 127.0.0.1:${String(outside)} ssl`);
    replace('/etc/nginx/db.example.pem', join(folder, 'cert.pem'));
    replace('/etc/nginx/db.example.key', join(folder, 'key.pem'));
    // What it would write below /var belongs into the test's own folder.
    const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
      (name) => `${name}_temp_path ${join(folder, name)};`,
    );
    replace('http {', `http { ${temporary.join(' ')}`);
    await writeFile(join(folder, 'nginx.conf'), config);
    proxy = `https://localhost:${String(outside)}`;
    const args = ['-p', folder, '-c', join(folder, 'nginx.conf'), '-g', `daemon off; pid ${join(folder, 'pid')};`];
    await startUntil(async () => (await status('/_api/version').catch(() => '')) === '200', 'nginx', args);
  });

  afterAll(async () => {
    for (const { child } of started.reverse()) await end(child, 'SIGTERM');
    await cluster.close();
    await rm(folder, { recursive: true });
  });

  const outside = (...numbers: number[]): string[] => numbers.map((number) => `ssl://db${String(number)}.example:443`);
  const curl = (...args: string[]): Promise<string> =>
    runCommand('curl', ['-s', '--cacert', join(folder, 'cert.pem'), ...args], { cwd: folder });
  const status = (path: string): Promise<string> => curl('-o', '/dev/null', '-w', '%{http_code}', `${proxy}${path}`);

  it('fetchEndpoints and the drivers arangojs 8 and 10 get the listing and everything else, over TLS', async () => {
    const { fetchEndpoints, ...drivers } = await asked();
    expect(new Set(fetchEndpoints as string[])).toEqual(new Set(outside(1, 2, 3)));
    expect(drivers).toEqual({ arangojs8: ['acquired', '3.12.0'], arangojs10: ['acquired', '3.12.0'] });
  });

  it('no request for a listing of clients reaches the cluster, in whatever database and spelling', async () => {
    expect(await status('/_db/_system/_api/cluster/endpoints')).toBe('200');
    expect(await status('/_db/%5Fsystem/_api/cluster/endpoints')).toBe('200');
    expect(await status('/_db/other/_api/cluster/endpoints')).toBe('403');
    expect(await status('/_api/endpoint?x=1')).toBe('200');
    // The gateway itself asks for /_api/cluster/endpoints, without a database.
    const seen = cluster.requests.map(({ url }) => url);
    expect(seen.filter((url) => /^\/_db\/.*\/cluster\/endpoints|\/_api\/endpoint\b/.test(url))).toEqual([]);
  });

  it("the cluster's own refusals reach the client as such", async () => {
    expect(await curl('-w', ' %{http_code}', `${proxy}/secret`)).toBe(
      '{"code":403,"error":true,"errorMessage":"forbidden","errorNum":11} 403',
    );
  });

  it('an upstream that is killed goes off the list, and requests go on; brought back, it is listed again', async () => {
    const list = async (): Promise<string> => {
      const { endpoints } = JSON.parse(await curl(`${proxy}/_api/cluster/endpoints`)) as {
        endpoints: { endpoint: string }[];
      };
      return endpoints
        .map(({ endpoint }) => endpoint)
        .sort()
        .join(' ');
    };
    await cluster.coordinators[1]?.stop();
    await until('it is off', async () => (await list()) === outside(1, 3).join(' '));
    for (let request = 0; request < 10; request += 1) {
      expect(await status('/_api/version')).toBe('200');
    }
    await cluster.coordinators[1]?.start();
    await until('it is back', async () => (await list()) === outside(1, 2, 3).join(' '));
  });
});
