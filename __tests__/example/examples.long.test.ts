import { join } from 'node:path';
import { startTestCluster, type TestCluster } from '../../lib/testing/index.js';
import { compiledExample } from '../support/package/built-package.js';
import { until } from '../support/until.js';
import { runScript, startScript, type RunningScript } from '../support/package/script.js';

let folder: string;
const script = (name: string): string => join(folder, `${name}.js`);

beforeAll(async () => {
  folder = await compiledExample();
});

/** Starts an example for the tests of one `describe`, and gives a function that asks it: status and body. */
function running(name: string): (path: string, init?: RequestInit) => Promise<[status: number, body: string]> {
  let host: RunningScript;
  beforeAll(async () => {
    host = await startScript(script(name));
  });
  afterAll(() => host.stop());
  return async (path, init) => {
    const response = await fetch(host.origin + path, init);
    return [response.status, await response.text()];
  };
}

describe('A single server', () => {
  const ask = running('single-server');

  it('lists what it listens on', async () => {
    await expect(ask('/_api/endpoint')).resolves.toEqual([
      200,
      '[{"endpoint":"http://127.0.0.1:8529"},{"endpoint":"https://db.example:8530"}]',
    ]);
  });

  it('is no coordinator', async () => {
    await expect(ask('/_api/cluster/endpoints')).resolves.toEqual([
      501,
      '{"code":501,"error":true,"errorMessage":"cannot serve this request for this deployment type","errorNum":9}',
    ]);
  });

  it('goes on with the rest of the application', async () => {
    await expect(ask('/')).resolves.toEqual([200, 'the rest of the application']);
  });
});

describe('A gateway', () => {
  let cluster: TestCluster;
  let host: RunningScript;
  const ask = async (path: string, user = 'root'): Promise<[number, string]> => {
    const response = await fetch(host.origin + path, { headers: { Authorization: user } });
    return [response.status, await response.text()];
  };

  beforeAll(async () => {
    cluster = await startTestCluster({
      routes(router) {
        router.use((req, res, next) => {
          const user = req.get('Authorization');
          // The gateway's own polls have its user, its checks none.
          if (user === 'Bearer gateway' || req.path === '/_admin/server/availability') next();
          else if (user === undefined) res.status(401).json({ code: 401, error: true, errorNum: 11 });
          else if (user === 'nobody') {
            res.status(401).set('WWW-Authenticate', 'Bearer');
            res.json({ code: 401, error: true, errorMessage: 'not authorized to execute this request', errorNum: 11 });
          } else if (user === 'guest') {
            res.status(403).json({ code: 403, error: true, errorMessage: 'forbidden', errorNum: 11 });
          } else res.json({ asked: req.originalUrl, by: user });
        });
      },
    });
    const rules = cluster.endpoints.map((endpoint, index) => `${endpoint}=ssl://db${String(index + 1)}.example:443`);
    const env = { ENDPOINT_LISTING_UPSTREAM_AUTHORIZATION: 'Bearer gateway' };
    host = await startScript(script('gateway'), rules, env);
  });
  afterAll(async () => {
    await host.stop();
    await cluster.close();
  });

  const listed = async (): Promise<string[]> => {
    const { endpoints } = JSON.parse((await ask('/_api/cluster/endpoints'))[1]) as {
      endpoints: { endpoint: string }[];
    };
    return endpoints.map(({ endpoint }) => endpoint).sort();
  };
  const outside = (...numbers: number[]): string[] => numbers.map((number) => `ssl://db${String(number)}.example:443`);

  it('lists the cluster at addresses that its clients reach', async () => {
    expect(await listed()).toEqual(outside(1, 2, 3));
  });

  it('sends everything else to the cluster, with the credentials of the client', async () => {
    expect(await ask('/_api/version?details=true')).toEqual([
      200,
      '{"asked":"/_api/version?details=true","by":"root"}',
    ]);
  });

  it.each(['/_api/version', '/_api/cluster/endpoints', '/_db/_system/_api/cluster/endpoints', '/_api/endpoint'])(
    "passes on the cluster's own refusals: %s",
    async (path) => {
      expect(await ask(path, 'nobody')).toEqual([
        401,
        '{"code":401,"error":true,"errorMessage":"not authorized to execute this request","errorNum":11}',
      ]);
      expect(await ask(path, 'guest')).toEqual([
        403,
        '{"code":403,"error":true,"errorMessage":"forbidden","errorNum":11}',
      ]);
      const { headers } = await fetch(host.origin + path, { headers: { Authorization: 'nobody' } });
      expect(headers.get('www-authenticate')).toBe('Bearer');
    },
  );

  it('goes on when one of the cluster dies', async () => {
    await cluster.coordinators[1]?.stop();
    await until('it is off', async () => String(await listed()) === String(outside(1, 3)));
    for (let request = 0; request < 6; request += 1) expect((await ask('/_api/version'))[0]).toBe(200);
  });

  it('says how to start it', async () => {
    await expect(runScript(script('gateway'))).rejects.toThrow(
      'usage: gateway <coordinator>=<its address for clients> ..., as tcp://10.0.0.11:8529=ssl://db1.example:443',
    );
  });
});

describe('A host with authentication', () => {
  const ask = running('with-authentication');
  const credentials = (text: string): RequestInit => ({
    headers: { Authorization: `Basic ${Buffer.from(text).toString('base64')}` },
  });

  it('answers with the right user and password', async () => {
    await expect(ask('/_api/cluster/endpoints', credentials('root:openSesame'))).resolves.toEqual([
      200,
      '{"error":false,"code":200,"endpoints":[{"endpoint":"tcp://10.0.0.11:8529"},{"endpoint":"tcp://10.0.0.12:8529"}]}',
    ]);
  });

  it.each([['without', {}] as const, ['with a wrong password', credentials('root:guess')] as const])(
    'refuses a request %s',
    async (_, init) => {
      await expect(ask('/_api/cluster/endpoints', init)).resolves.toEqual([
        401,
        '{"code":401,"error":true,"errorMessage":"not authorized to execute this request","errorNum":11}',
      ]);
    },
  );

  it('lets a browser ask for permission without them', async () => {
    const headers = { Origin: 'https://admin.example', 'Access-Control-Request-Method': 'GET' };
    await expect(ask('/_api/cluster/endpoints', { method: 'OPTIONS', headers })).resolves.toEqual([204, '']);
  });
});

describe('A coordinator', () => {
  let host: RunningScript;
  beforeAll(async () => {
    host = await startScript(script('coordinator'));
  });
  afterAll(() => host.stop());

  it('lists all of the cluster', async () => {
    const response = await fetch(`${host.origin}/_api/cluster/endpoints`);
    await expect(response.text()).resolves.toBe(
      '{"error":false,"code":200,"endpoints":[{"endpoint":"tcp://c1.db.example:8529"},' +
        '{"endpoint":"tcp://c2.db.example:8529"},{"endpoint":"tcp://c3.db.example:8529"}]}',
    );
  });

  it('lists on the other route what it has really bound', async () => {
    const listing = (await (await fetch(`${host.origin}/_api/endpoint`)).json()) as { endpoint: string }[];
    expect(listing).toHaveLength(2);
    expect(listing[0]).toEqual({ endpoint: host.origin });
    const second = await fetch(`${String(listing[1]?.endpoint)}/_api/endpoint`);
    await expect(second.json()).resolves.toEqual(listing);
  });

  it('ends well when it is told to', async () => {
    await expect(host.end('SIGTERM')).resolves.toBe('exit code 0');
  });
});

describe('A server of node:http', () => {
  const ask = running('plain-http');

  it('answers through the router', async () => {
    await expect(ask('/_api/endpoint')).resolves.toEqual([
      200,
      '[{"endpoint":"http://127.0.0.1:8529"},{"endpoint":"unix:///run/db.sock"}]',
    ]);
  });

  it('answers itself what the router lets pass', async () => {
    await expect(ask('/other')).resolves.toEqual([404, 'not found\n']);
  });
});

describe('npm run example', () => {
  it('starts the example that it is told', async () => {
    const host = await startScript(script('start'), ['single-server']);
    const response = await fetch(`${host.origin}/_api/endpoint`);
    expect(response.status).toBe(200);
    expect(host.printed()).toBe('starting single-server; example/README.md has a curl line to try\n');
    await host.stop();
  });

  it.each([[[]], [['start']], [['../start']]])('names the examples when it is told none: %j', async (args) => {
    await expect(runScript(script('start'), args)).rejects.toThrow(
      'exit code 1\nusage: npm run example -- <name>, one of: cluster, coordinator, gateway, plain-http, single-server, with-authentication\n',
    );
  });
});
