import { describeWithEngines } from '../support/etcd/engines.js';
import { startNamed, type Named } from '../support/dns/named.js';
import { manyRecords, NAME, next, srvDirectories } from '../support/dns/srv-directories.js';

const { list, closing } = srvDirectories();
const A = 'tcp://a.example.org:8529';
const B = 'tcp://b.example.org:8529';
const C = 'tcp://c.example.org:8529';

const srv = (target: string) => `${NAME}. 60 SRV 0 0 8529 ${target}`;
const add = (target: string) => `update add ${srv(target)}`;
const remove = (target: string) => `update delete ${NAME}. SRV 0 0 8529 ${target}`;
const serve = async (...targets: string[]): Promise<Named> => closing(await startNamed(targets.map(srv)));
const many = (count: number, length: number) => manyRecords(count, length).records.map(({ target }) => `${target}.`);

describeWithEngines('a directory that follows a real DNS server (BIND)', ['named', 'nsupdate'], () => {
  it.each<[what: string, first: string[], update: string[], endpoints: string[]]>([
    [
      'a change, whatever its TTL',
      ['a.example.org.', 'b.example.org.'],
      [remove('a.example.org.'), add('c.example.org.')],
      [B, C],
    ],
    ['a name that is gone (NXDOMAIN)', ['a.example.org.'], [`update delete ${NAME}.`], []],
    [
      'a name with records of other types only',
      ['a.example.org.'],
      [`update add ${NAME}. 60 TXT "no records"`, `update delete ${NAME}. SRV`],
      [],
    ],
    ['a name with nothing but the target "."', ['a.example.org.', '.'], [remove('a.example.org.')], []],
  ])('sees %s', async (_what, first, update, endpoints) => {
    const named = await serve(...first);
    const directory = await list(named, { pollIntervalMs: 250 });
    const change = next(directory, 'change');
    await named.update(...update);
    const { relists } = directory.status();
    expect(await change).toStrictEqual([endpoints]);
    // Seen within the poll interval: an empty list is asked for twice, and one question may have been under way.
    expect(directory.status().relists - relists).toBeLessThanOrEqual(2);
    expect(directory.status()).toMatchObject({ state: 'live', skipped: 0 });
    const filled = next(directory, 'change');
    await named.update(add('z.example.org.'));
    expect(await filled).toStrictEqual([[...endpoints, 'tcp://z.example.org:8529']]);
  });

  it.each([
    ['does not serve the zone', '_arangodb._tcp.elsewhere.example', 'EREFUSED'],
    ['could not load the zone', '_arangodb._tcp.broken.example', 'ESERVFAIL'],
  ])('is refused the start at once by a server that %s', async (_why, name, code) => {
    const named = await serve('a.example.org.');
    await expect(list(named, { name, connectTimeoutMs: 600_000 })).rejects.toThrow(
      `no list from the SRV records of ${name}: querySrv ${code} ${name}`,
    );
  });

  it('follows it again after kill -9 and restart: stale, expired, live; nobody is lost', async () => {
    const named = await serve('a.example.org.', 'b.example.org.');
    // A question that was under way is given up long before the list expires.
    const directory = await list(named, { maxStaleMs: 10_000, timeoutMs: 3000 });
    const events: string[] = [];
    const ofStale: unknown[] = [];
    for (const event of ['live', 'stale', 'change', 'expired'] as const)
      directory.on(event, () => {
        events.push(event);
        if (event === 'stale') ofStale.push(directory.status().count, directory.status().lastError);
      });
    const expired = next(directory, 'expired');
    await named.kill();
    await expired;
    expect(ofStale).toStrictEqual([2, expect.stringMatching(/^querySrv E(?:CONNREFUSED|TIMEOUT) .* \(asked: /)]);
    expect(directory.provider).toThrow(expect.objectContaining({ status: 503, errorNum: 1478 }) as Error);
    const live = next(directory, 'live');
    await named.restart();
    await live;
    expect(directory.provider()).toStrictEqual([A, B]);
    expect(events).toStrictEqual(['stale', 'expired', 'live']);
  });

  it.each([1, 1000])(
    'serves the last list, stale, while it is frozen (SIGSTOP), and follows it again: %i records',
    async (count) => {
      const named = await serve(...many(count, 24));
      const directory = await list(named, { timeoutMs: 1000, tries: 2 });
      const before = directory.provider();
      expect(before).toHaveLength(count);
      expect(before.at(-1)).toBe(`tcp://c${String(count - 1).padStart(4, '0')}.xxxxxxxxxxxxxxxxxx:8529`);
      const stale = next(directory, 'stale');
      named.freeze();
      await stale;
      expect(directory.provider()).toBe(before);
      expect(directory.status().lastError).toContain(`querySrv ETIMEOUT ${NAME} (asked: `);
      const live = next(directory, 'live');
      named.thaw();
      await live;
      expect(directory.provider()).toBe(before);
    },
  );

  it.each([
    [1600, 24, '1488 SRV records of _arangodb._tcp.example.org take 65516 bytes'],
    [1000, 46, '992 SRV records of _arangodb._tcp.example.org take 65516 bytes'],
  ])('refuses an answer that BIND cuts: %i records with targets of %i characters', async (count, length, text) => {
    const named = await serve(...many(count, length));
    await expect(list(named, { maxRecords: 3000 })).rejects.toThrow(
      `${text}: the answer may have been cut, as a DNS message holds no more than 65535`,
    );
  });
});
