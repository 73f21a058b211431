import { checkEndpoints, type CheckEndpointsOptions, type ListingWarning } from '../../lib/client/index.js';
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
  it.each<[kind: string, message: string, entries: unknown[], endpoints: string[]]>([
    ['empty', 'the list is empty: the Go driver fails', [], []],
    [
      'wildcard',
      'a wildcard address: a driver reaches its own machine there',
      ['tcp://a.invalid:1', 'tcp://0.0.0.0:1', 'tcp://[::]:1'],
      ['tcp://0.0.0.0:1', 'tcp://[::]:1'],
    ],
    [
      'mixed-schemes',
      'some endpoints with TLS, some without: the Java driver uses one of the two for all',
      ['tcp://a.invalid:1', 'ssl://b.invalid:1'],
      ['ssl://b.invalid:1'],
    ],
    [
      'internal',
      'an attribute "internal": the Java driver 5.0 to 6.8.0 takes it for a host',
      ['tcp://a.invalid:1', { endpoint: 'tcp://db.invalid:8529', internal: 'tcp://10.0.0.1:8529' }],
      ['tcp://db.invalid:8529'],
    ],
  ])('is %s', async (kind, message, entries, endpoints) => {
    const warnings = await warningsOf(await servers.plain(), entries);
    expect(warnings).toEqual({ [kind]: { kind, breaksDrivers: true, message, endpoints } });
  });

  it('is none where all have TLS', async () => {
    expect(await warningsOf(await servers.plain(), ['ssl://a.invalid:1', 'ssl://b.invalid:1'])).toEqual({});
  });
});

describe('a warning that breaks no driver', () => {
  it('is one server that is listed twice, by one name or by two', async () => {
    const asked = await servers.plain();
    const { port } = new URL(asked);
    const names = [asked, `tcp://localhost:${port}`];
    expect((await warningsOf(asked, names))['same-server']).toEqual({
      kind: 'same-server',
      breaksDrivers: false,
      message: 'one server, listed twice',
      endpoints: names,
    });
    const thrice = Array<string>(3).fill('tcp://nowhere.invalid:8529');
    const message = 'one server, listed 3 times';
    expect((await warningsOf(asked, thrice))['same-server']).toMatchObject({ message, endpoints: thrice });
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

  it('is another list without the Host that was asked for, and is no fault', async () => {
    const asked: string = await servers.plain((req, res) =>
      servers.json(200, [entry(req.headers.host === 'inner.example' ? asked : 'tcp://outer:1')])(req, res),
    );
    const [inner, other] = await Promise.all(
      ['inner.example', 'other.example'].map((host) => checkEndpoints(asked, { ...options, headers: { host } })),
    );
    expect(inner).toMatchObject({
      ok: true,
      warnings: [
        {
          kind: 'host',
          breaksDrivers: false,
          message: 'without this Host, the server has another list: which one depends on the name',
          endpoints: ['tcp://outer:1'],
        },
      ],
    });
    expect(other?.warnings).toEqual([]);
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
  const own = ['127.0.0.1', 'localhost', 'a.localhost', '[::1]'];
  const near = ['10.0.0.1', '172.31.0.1', '192.168.0.1', '169.254.0.1', '100.64.0.1', '[fd00::1]', '[fe80::1]'];
  const far = ['8.8.8.8', 'db.example', '172.32.0.1', '[2001:db8::1]'];
  const endpoints = [...own, ...near, ...far].map((host) => `tcp://${host}:1`);

  async function kindsFor(askedAddress: string): Promise<[string, boolean, readonly string[]][]> {
    const attempts = endpoints.map((endpoint) => ({ endpoint, ms: 1, peer: '', outcome: [] }));
    const first = { endpoints, withInternal: [] };
    const warnings = await warningsOfFindings({ first, second: undefined, askedAddress, attempts });
    return warnings.map(({ kind, breaksDrivers, endpoints }) => [kind, breaksDrivers, endpoints]);
  }

  const loopback = ['loopback', true, endpoints.slice(0, 4)];
  it.each([
    ['loopback', ['127.0.0.1', '::1', 'localhost'], []],
    ['a private address', ['192.168.7.7', 'fd00::7'], [loopback]],
    ['a public address', ['8.8.4.4'], [loopback, ['private', false, endpoints.slice(4, 11)]]],
  ])('for a server that was reached at %s', async (_what, addresses, kinds) => {
    for (const address of addresses) expect(await kindsFor(address)).toEqual(kinds);
  });
});

function entry(endpoint: string): object {
  return { endpoint };
}
