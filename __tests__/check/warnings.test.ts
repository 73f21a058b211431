import { checkEndpoints, type CheckEndpointsOptions, type ListingWarning } from '../../lib/client/index.js';
import { makeCertificate } from '../support/certificate.js';
import { warningsOf as warningsOfFindings } from '../../lib/client/check/warnings.js';
import { useListedServers } from '../support/check/listed-servers.js';

const servers = useListedServers();
const options: CheckEndpointsOptions = { timeoutMs: 10_000 };

/** The warnings about a list, by their kinds. */
async function warningsOf(asked: string, list: readonly unknown[]): Promise<Partial<Record<string, ListingWarning>>> {
  servers.list = list;
  const { warnings } = await checkEndpoints(asked, options);
  return Object.fromEntries(warnings.map((warning) => [warning.kind, warning]));
}

it('nothing is odd about a list of one server that is there', async () => {
  const asked = await servers.plain();
  await expect(warningsOf(asked, [asked])).resolves.toEqual({});
});

describe('a warning that breaks drivers', () => {
  it('is an empty list', async () => {
    const asked = await servers.plain();
    await expect(warningsOf(asked, [])).resolves.toEqual({
      empty: { kind: 'empty', breaksDrivers: true, message: 'the list is empty: the Go driver fails', endpoints: [] },
    });
  });

  it('is a wildcard address', async () => {
    const asked = await servers.plain();
    const { wildcard } = await warningsOf(asked, [asked, 'tcp://0.0.0.0:1', 'tcp://[::]:1']);
    expect(wildcard).toEqual({
      kind: 'wildcard',
      breaksDrivers: true,
      message: 'a wildcard address: a driver reaches its own machine there',
      endpoints: ['tcp://0.0.0.0:1', 'tcp://[::]:1'],
    });
  });

  it('is a mixture of schemes', async () => {
    const asked = await servers.plain();
    const secure = await servers.secure(await makeCertificate());
    expect((await warningsOf(asked, [asked, secure]))['mixed-schemes']).toEqual({
      kind: 'mixed-schemes',
      breaksDrivers: true,
      message: 'some endpoints with TLS, some without: the Java driver uses one of the two for all',
      endpoints: [secure],
    });
  });

  it('is an attribute "internal"', async () => {
    const asked = await servers.plain();
    const entry = { endpoint: 'tcp://db.invalid:8529', internal: 'tcp://10.0.0.1:8529' };
    expect((await warningsOf(asked, [asked, entry]))['internal']).toEqual({
      kind: 'internal',
      breaksDrivers: true,
      message: 'an attribute "internal": the Java driver 5.0 to 6.8.0 takes it for a host',
      endpoints: ['tcp://db.invalid:8529'],
    });
  });
});

describe('a warning that breaks no driver', () => {
  it('is one server that is listed twice, by one name or by two', async () => {
    const asked = await servers.plain();
    const { port } = new URL(asked);
    expect((await warningsOf(asked, [asked, `tcp://localhost:${port}`]))['same-server']).toEqual({
      kind: 'same-server',
      breaksDrivers: false,
      message: 'one server, listed twice',
      endpoints: [asked, `tcp://localhost:${port}`],
    });
    const gone = 'tcp://nowhere.invalid:8529';
    expect((await warningsOf(asked, [gone, gone, gone]))['same-server']).toMatchObject({
      message: 'one server, listed 3 times',
      endpoints: [gone, gone, gone],
    });
  });

  it('is an order that changes between two answers', async () => {
    let turn = 0;
    const asked: string = await servers.plain((req, res) => {
      turn += 1;
      servers.json(200, (turn % 3 === 1 ? [asked, 'tcp://b:1'] : ['tcp://b:1', asked]).map(entry))(req, res);
    });
    servers.list = [];
    const { warnings } = await checkEndpoints(asked, options);
    expect(warnings).toEqual([
      {
        kind: 'order',
        breaksDrivers: false,
        message: 'two answers had different orders: the first endpoint is no fixed one',
        endpoints: [asked, 'tcp://b:1'],
      },
    ]);
  });

  it('is no order when the second answer has other members, or does not come', async () => {
    let turn = 0;
    const asked: string = await servers.plain((req, res) => {
      turn += 1;
      if (turn < 3) servers.json(200, [entry(asked)])(req, res);
      else servers.json(200, [entry(asked), entry('tcp://b:1')])(req, res);
    });
    expect((await checkEndpoints(asked, options)).warnings).toEqual([]);
    turn = 0;
    const dying: string = await servers.plain((req, res) => {
      turn += 1;
      if (turn < 3) servers.json(200, [entry(dying)])(req, res);
      else res.destroy();
    });
    expect(await checkEndpoints(dying, options)).toMatchObject({ ok: true, warnings: [] });
  });
});

// A test cannot have a server with an address of the public internet.
describe('addresses that are of no use to whoever reached the server', () => {
  const list = ['127.0.0.1', 'localhost', 'a.localhost', '[::1]', '10.0.0.1', '172.31.0.1', '192.168.0.1', '[fd00::1]'];
  const endpoints = [...list, '8.8.8.8', 'db.example', '172.32.0.1', '[2001:db8::1]'].map((host) => `tcp://${host}:1`);

  async function kindsFor(askedAddress: string): Promise<[string, boolean, readonly string[]][]> {
    const attempts = endpoints.map((endpoint) => ({ endpoint, ms: 1, peer: '', outcome: [] }));
    const first = { endpoints, withInternal: [] };
    const warnings = await warningsOfFindings({ first, second: undefined, askedAddress, attempts });
    return warnings.map(({ kind, breaksDrivers, endpoints }) => [kind, breaksDrivers, endpoints]);
  }

  it('are no warning for a server that was reached through loopback', async () => {
    expect(await kindsFor('127.0.0.1')).toEqual([]);
    expect(await kindsFor('::1')).toEqual([]);
    expect(await kindsFor('localhost')).toEqual([]);
  });

  it('are loopback addresses for a server that was reached at a private address', async () => {
    expect(await kindsFor('192.168.7.7')).toEqual([['loopback', true, endpoints.slice(0, 4)]]);
    expect(await kindsFor('fd00::7')).toEqual([['loopback', true, endpoints.slice(0, 4)]]);
  });

  it('are loopback and private addresses for a server that was reached at a public one', async () => {
    expect(await kindsFor('8.8.4.4')).toEqual([
      ['loopback', true, endpoints.slice(0, 4)],
      ['private', false, endpoints.slice(4, 8)],
    ]);
  });
});

function entry(endpoint: string): object {
  return { endpoint };
}
