import type { CheckEndpointsOptions, DriverCheck } from '../../lib/client/index.js';
import { DRIVERS, KINDS, OUTCOMES, type Outcome } from '../../lib/drivers/rules.js';
import type { AnswerTrouble } from '../../lib/testing/index.js';
import { useListedServers } from '../support/check/listed-servers.js';
import { checkPatiently as checkEndpoints } from '../support/patience.js';
import { tell } from '../support/drivers/answers.js';
import { clusters } from '../support/testing/cluster.js';

const servers = useListedServers();
const start = clusters();
const GONE = '127.0.0.1:1';

async function rejection(promise: Promise<unknown>): Promise<Error> {
  return promise.then(
    () => new Error('nothing was thrown'),
    (error: unknown) => error as Error,
  );
}

const listed = (...entries: readonly unknown[]): Partial<AnswerTrouble> => ({
  body: JSON.stringify({
    endpoints: entries.map((entry) => (typeof entry === 'string' ? { endpoint: entry } : entry)),
  }),
});

/** What drivers are said to do with the answer that a server gives. */
async function driversFor(
  asked: string,
  drivers: NonNullable<CheckEndpointsOptions['drivers']>,
  listing: 'cluster' | 'server' = 'cluster',
): Promise<readonly DriverCheck[]> {
  try {
    return (await checkEndpoints(asked, { drivers, listing })).drivers ?? [];
  } catch (error) {
    return (error as { drivers?: readonly DriverCheck[] }).drivers ?? [];
  }
}

describe('what a driver would do with an answer', () => {
  it('says which hosts it would use, what it misreads as what, and what it skips', async () => {
    const asked = await servers.plain();
    servers.list = [asked, 'tcp://[::1]:1', `tcp://${GONE}/`, 'TCP://127.0.0.1:2'];
    const check = await checkEndpoints(asked, { drivers: 'java@7.26' });
    expect(check.ok).toBe(false);
    expect(check.drivers).toEqual([
      {
        driver: 'java',
        versions: '7.4 to 7.26.0',
        source: 'ran core of 7.26.0, over java.net.http',
        breaks: true,
        fails: false,
        endsRefreshing: false,
        handsOn: false,
        hosts: [asked.replace('tcp://', ''), GONE, '127.0.0.1:2'],
        misread: [{ endpoint: 'tcp://[::1]:1', as: GONE }],
        dropped: [`tcp://${GONE}/`],
        unknown: [],
        findings: [
          {
            kind: 'ipv6-two-colons',
            message: 'IPv6 with two colons: misreads it',
            breaks: true,
            endpoints: ['tcp://[::1]:1'],
            evidence: 'run',
          },
          {
            kind: 'trailing-slash',
            message: 'a slash at its end: skips it',
            breaks: true,
            endpoints: [`tcp://${GONE}/`],
            evidence: 'run',
          },
        ],
      },
    ]);
  });

  it('is part of the result only when it is asked for, and a driver that nothing breaks leaves the check ok', async () => {
    const asked = await servers.plain();
    servers.list = [asked];
    expect(await checkEndpoints(asked)).not.toHaveProperty('drivers');
    const check = await checkEndpoints(asked, { drivers: true });
    expect(check.ok).toBe(true);
    expect(check.drivers?.map(({ driver, breaks }) => [driver, breaks])).toEqual(
      DRIVERS.filter(({ listing }) => listing === 'cluster').map(({ driver }) => [driver, false]),
    );
  });

  const ofOneAnswer = KINDS.filter(({ of, kind }) => of !== 'answers' && kind !== 'none-left');
  it.each(
    ofOneAnswer.flatMap((row) => (['cluster', 'server'] as const).map((listing) => [row.kind, listing, row] as const)),
  )('is what the rules say of %s, for each driver that asks for the listing %s', async (kind, listing, row) => {
    const cluster = await start();
    tell(cluster, kind, { listing });
    const expected = DRIVERS.flatMap((driver, index) => {
      if (driver.listing !== listing) return [];
      const letter = String(row.outcomes[index]);
      const { words } = OUTCOMES[(letter === '?' ? 'u' : letter.toLowerCase()) as Outcome];
      return [[driver.driver, 'uh?'.includes(letter) ? undefined : `${row.words}: ${words}`]];
    });
    const seen = await driversFor(String(cluster.endpoints[0]), true, listing);
    expect(seen.map(({ driver, findings }) => [driver, findings.find((each) => each.kind === kind)?.message])).toEqual(
      expected,
    );
  });

  /** What one driver is said to do with an answer. */
  const told = async (driver: string, answer: Partial<AnswerTrouble>): Promise<DriverCheck | undefined> => {
    const cluster = await start({ coordinators: 1 });
    cluster.trouble({ kind: 'answer', ...answer });
    return (await driversFor(String(cluster.endpoints[0]), driver))[0];
  };

  it('is a failure of all requests, or the list as it was, where every entry is skipped', async () => {
    const skipped = listed('tcp://[fd00::1:2]:1', 'tcp://127.0.0.1');
    const finding = (words: string): object => ({ message: `no entry that it does not skip: ${words}` });
    expect(await told('java@6.8.0', skipped)).toMatchObject({ fails: false, hosts: [] });
    expect((await told('java@6.8.0', skipped))?.findings.at(-1)).toMatchObject(finding('keeps its list'));
    expect(await told('java@7.26', skipped)).toMatchObject({ fails: true, hosts: [] });
    expect((await told('java@7.26', skipped))?.findings.at(-1)).toMatchObject(finding('cannot use it'));
    // Kafka's connector refuses the whole list, and keeps its own.
    expect(await told('kafka-connect', skipped)).toMatchObject({ fails: true, hosts: [] });
  });

  it('is no last refresh for Java from 7.4 on where another host may answer', async () => {
    const unavailable = { status: 503, body: '{"errorNum":503}' };
    expect(await told('java@7.3', unavailable)).toMatchObject({ fails: true, endsRefreshing: true });
    expect(await told('java@7.4', unavailable)).toMatchObject({ fails: true, endsRefreshing: false });
  });

  it('counts an address inside the cluster as a host where a driver takes it for one', async () => {
    const internal = 'tcp://10.0.0.1:8529';
    expect(await told('java@6.8.0', listed({ endpoint: `tcp://${GONE}`, internal }))).toMatchObject({
      hosts: [GONE, '10.0.0.1:8529'],
      misread: [{ endpoint: internal, as: 'a host' }],
    });
  });

  it('claims nothing of what is not known: entries, statuses, and what nobody has tried', async () => {
    const chunked = { ...listed('tcp://a:1'), headers: { 'Transfer-Encoding': 'chunked' } };
    expect(await told('go@1.6', listed('gopher://a:1'))).toMatchObject({ unknown: ['gopher://a:1'], findings: [] });
    expect(await told('go@1.6', { status: 418 })).toMatchObject({ unknown: ['418/undefined'], breaks: false });
    expect(await told('go@1.6', listed({ endpoint: 8529 }, 7))).toMatchObject({
      unknown: ['{"endpoint":8529}', '7'],
      findings: [],
    });
    expect(await told('kafka-connect', chunked)).toMatchObject({ unknown: ['chunked'], findings: [] });
    expect(await told('go@1.6', { headers: { 'Content-Encoding': 'gzip' }, body: 'x' })).toMatchObject({
      findings: [{ kind: 'not-json' }],
    });
  });

  it('has the default port of its scheme where an entry names none', async () => {
    expect(await told('go@1.6', listed('tcp://127.0.0.1', 'ssl://127.0.0.1'))).toMatchObject({
      hosts: ['127.0.0.1:80', '127.0.0.1:443'],
    });
  });

  it('comes with the error where there is no listing, and says when a refresh is the last one', async () => {
    const asked = await servers.plain(servers.json(500, { error: true, code: 500, errorNum: 4, errorMessage: 'x' }));
    const error = await rejection(checkEndpoints(asked, { drivers: ['java@7', 'python-arango'] }));
    expect(error).toMatchObject({ name: 'ListingError', kind: 'refused', code: 500 });
    const { drivers } = error as unknown as { drivers: readonly DriverCheck[] };
    expect(
      drivers.map(({ driver, versions, fails, endsRefreshing, findings }) => [
        `${driver} ${versions}`,
        fails,
        endsRefreshing,
        findings[0]?.message,
        findings[0]?.evidence,
      ]),
    ).toEqual([
      ['java 7.0 to 7.1.0', true, false, '500 or 502: fails', 'read'],
      ['java 7.2 to 7.3.0', true, true, '500 or 502: fails for good', 'read'],
      ['java 7.4 to 7.26.0', true, true, '500 or 502: fails for good', 'run'],
      ['python-arango 6.0 to 6.1.0', true, false, '500 or 502: fails', 'run'],
      ['python-arango 7.0 to 8.3.2', true, false, '500 or 502: fails after 6 s', 'run'],
    ]);
    expect(await rejection(checkEndpoints(await servers.gone(), { drivers: true }))).not.toHaveProperty('drivers');
  });

  it('takes the asked server on the list twice for once, as arangojs does', async () => {
    const asked = await servers.plain();
    servers.list = [asked, asked];
    expect(await driversFor(asked, 'arangojs@10')).toMatchObject([{ breaks: false, findings: [] }]);
  });
});

describe('the option drivers', () => {
  it.each<[unknown, string]>([
    ['rust', 'nothing is known of "rust"; known are arangojs, java, kafka-connect, go, '],
    ['jave', 'checkEndpoints: option drivers: nothing is known of "jave"; did you mean java?'],
    ['go@2.0', 'nothing is known of go "2.0", but of 1.0 to 1.6.9, 2.1.6 to 3.0'],
    ['java@x', 'nothing is known of java "x", but of 5.0.5 to 6.6.0, '],
    ['java@99', 'nothing is known of java "99", but of 5.0.5 to 6.6.0, '],
    ['python-arango@8.3.7', 'nothing is known of python-arango "8.3.7", but of 6.0 to 6.1.0, 7.0 to 8.3.2'],
    [['arangorb@2', 'arangojs@11'], 'nothing is known of arangojs "11", but of '],
    ['arangodb-php', "arangodb-php asks for the other listing: check it with listing 'server'"],
    [false, "option drivers must be true, a driver such as 'java@7.26', or an array of drivers, got false"],
    [[], "option drivers must be true, a driver such as 'java@7.26', or an array of drivers"],
    [[7], "option drivers must be true, a driver such as 'java@7.26', or an array of drivers"],
  ])('refuses %j, before anything is sent', async (drivers, message) => {
    const options = { drivers } as CheckEndpointsOptions;
    const error = await rejection(checkEndpoints('tcp://127.0.0.1:1', options));
    expect(error).toBeInstanceOf(TypeError);
    expect(error.message).toContain(message);
  });

  it('takes a version by as many numbers as it has', async () => {
    const asked = await servers.plain();
    servers.list = [asked];
    const versions = async (name: string): Promise<string[]> =>
      (await driversFor(asked, name)).map(({ versions }) => versions);
    expect(await versions('arangojs@8.8.1')).toEqual(['8.0 to 8.8.1']);
    expect(await versions('java@6.25')).toEqual(['6.9 to 6.25.0']);
    expect(await versions('go')).toEqual(['1.0 to 1.6.9', '2.1.6 to 3.0']);
    expect(await versions('arangorb@2.0')).toEqual(['2.0.1']);
  });
});
