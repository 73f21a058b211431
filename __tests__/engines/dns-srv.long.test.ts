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
  describe('a change', () => {
    it('is in the first answer to a question asked after it: seen within the poll interval, whatever its TTL', async () => {
      const named = await serve('a.example.org.', 'b.example.org.');
      const directory = await list(named, { pollIntervalMs: 250 });
      expect(directory.provider()).toStrictEqual([A, B]);
      const change = next(directory, 'change');
      await named.update(remove('a.example.org.'), add('c.example.org.'));
      const { relists } = directory.status();
      expect(await change).toStrictEqual([[B, C]]);
      // One question may have been under way.
      expect(directory.status().relists - relists).toBeLessThanOrEqual(2);
      expect(directory.provider()).toStrictEqual([B, C]);
    });
  });

  describe('a name without records', () => {
    it('makes the list empty when it is gone (NXDOMAIN), and full again when it is back', async () => {
      const named = await serve('a.example.org.');
      const directory = await list(named, { include: [C] });
      const emptied = next(directory, 'change');
      await named.update(`update delete ${NAME}.`);
      expect(await emptied).toStrictEqual([[C]]);
      const filled = next(directory, 'change');
      await named.update(add('b.example.org.'));
      expect(await filled).toStrictEqual([[B, C]]);
      expect(directory.status()).toMatchObject({ state: 'live', count: 2 });
    });

    it('makes the list empty when it has records of other types only', async () => {
      const named = await serve('a.example.org.');
      const directory = await list(named);
      const emptied = next(directory, 'change');
      await named.update(`update add ${NAME}. 60 TXT "no records"`, `update delete ${NAME}. SRV`);
      expect(await emptied).toStrictEqual([[]]);
      expect(directory.status()).toMatchObject({ state: 'live', count: 0 });
    });
  });

  it('leaves out the target "."', async () => {
    const named = await serve('a.example.org.', '.');
    const directory = await list(named);
    expect(directory.provider()).toStrictEqual([A]);
    const emptied = next(directory, 'change');
    await named.update(remove('a.example.org.'));
    expect(await emptied).toStrictEqual([[]]);
    expect(directory.status()).toMatchObject({ state: 'live', skipped: 0 });
  });

  describe('a server that fails', () => {
    it.each([
      ['does not serve the zone', '_arangodb._tcp.elsewhere.example', 'EREFUSED'],
      ['could not load the zone', '_arangodb._tcp.broken.example', 'ESERVFAIL'],
    ])('refuses the start at once as it %s', async (_why, name, code) => {
      const named = await serve('a.example.org.');
      await expect(list(named, { name, connectTimeoutMs: 600_000 })).rejects.toThrow(
        `no list from the SRV records of ${name}: querySrv ${code} ${name}`,
      );
    });

    it('is followed again after kill -9 and restart: stale, expired, live; nobody is lost', async () => {
      const named = await serve('a.example.org.', 'b.example.org.');
      const directory = await list(named, { maxStaleMs: 5000 });
      const events: string[] = [];
      for (const event of ['live', 'stale', 'change', 'expired'] as const)
        directory.on(event, () => events.push(event));
      // In the event, for on a busy machine the list may have expired before anything else has its turn.
      const whileStale = new Promise((resolve) => {
        directory.once('stale', () => {
          resolve([directory.provider(), directory.status().lastError]);
        });
      });
      const expired = next(directory, 'expired');
      await named.kill();
      expect(await whileStale).toStrictEqual([
        [A, B],
        expect.stringContaining(`querySrv ECONNREFUSED ${NAME} (asked: `),
      ]);
      await expired;
      expect(directory.provider).toThrow(expect.objectContaining({ status: 503, errorNum: 1478 }) as Error);
      const live = next(directory, 'live');
      await named.restart();
      await live;
      expect(directory.provider()).toStrictEqual([A, B]);
      expect(events).toStrictEqual(['stale', 'expired', 'live']);
    });

    it.each([
      ['small', 1],
      ['large', 1000],
    ])(
      'is followed again after it was frozen (SIGSTOP): the last list is served, stale; %s answers',
      async (_size, count) => {
        const named = await serve(...many(count, 24));
        const directory = await list(named, { timeoutMs: 1000, tries: 2 });
        const before = directory.provider();
        expect(before).toHaveLength(count);
        const stale = next(directory, 'stale');
        named.freeze();
        await stale;
        expect(directory.provider()).toBe(before);
        expect(directory.status()).toMatchObject({
          state: 'stale',
          lastError: expect.stringContaining(`querySrv ETIMEOUT ${NAME} (asked: `) as string,
        });
        const live = next(directory, 'live');
        named.thaw();
        await live;
        expect(directory.provider()).toBe(before);
      },
    );
  });

  describe('a large answer', () => {
    it('is listed in full with 50 records, which need TCP, and with 1,000', async () => {
      const fifty = await list(await serve(...many(50, 24)));
      expect(fifty.provider()).toHaveLength(50);
      const thousand = await list(await serve(...many(1000, 24)));
      expect(thousand.provider()).toHaveLength(1000);
      expect(thousand.provider()[0]).toBe('tcp://c0000.xxxxxxxxxxxxxxxxxx:8529');
      expect(thousand.provider()[999]).toBe('tcp://c0999.xxxxxxxxxxxxxxxxxx:8529');
    });

    it.each([
      [1600, 24, '1488 SRV records of _arangodb._tcp.example.org take 65516 bytes'],
      [1000, 46, '992 SRV records of _arangodb._tcp.example.org take 65516 bytes'],
    ])(
      'is refused, not cut, where BIND cuts it: %i records with targets of %i characters',
      async (count, length, text) => {
        const named = await serve(...many(count, length));
        await expect(list(named, { maxRecords: 3000 })).rejects.toThrow(
          `${text}: the answer may have been cut, as a DNS message holds no more than 65535`,
        );
      },
    );
  });
});
