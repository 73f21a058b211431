import { createPolledDirectory } from '../../../lib/directory/index.js';
import { createSrvDirectory } from '../../../lib/dns-srv/index.js';
import { createLog, inFewLines, logDirectory, type LogLevel } from '../../../lib/cli/log.js';
import { startDnsServer } from '../../support/dns/dns-server.js';
import { turnedClock } from '../../support/turned-clock.js';
import { FakeTerminal } from '../../support/process/fake-terminal.js';
import { until } from '../../support/until.js';

describe('Events that come one by one', () => {
  const clock = turnedClock();

  it('have 20 lines in 5 s, each once, then one with the number of the rest; and 20 again', async () => {
    const lines: string[] = [];
    const log = inFewLines((_level, _event, message) => void lines.push(message), 'endpoints are down');
    const many = (count: number): void => {
      for (let index = 0; index < count; index += 1) log('warn', 'endpoint-down', `${String(index)} is down`);
    };
    many(3000);
    await clock.turn(4999);
    expect(lines).toHaveLength(20);
    await clock.turn(1);
    expect(lines.slice(20)).toEqual(['2980 more endpoints are down']);
    many(20);
    await clock.turn(5000);
    expect(lines).toHaveLength(41);
    for (let repeated = 0; repeated < 9; repeated += 1) many(1);
    await clock.turn(5000);
    expect(lines.slice(41)).toEqual(['0 is down', '8 more endpoints are down']);
  });
});

describe('The log of a coordinator', () =>
  it('has a line for all that happens to its list', async () => {
    const dns = await startDnsServer({ records: [{ target: 'a.example', port: 1 }] });
    const directory = await createSrvDirectory({
      name: '_arangodb._tcp.example',
      servers: [dns.address],
      pollIntervalMs: 20,
      maxStaleMs: 100,
    });
    const lines: string[] = [];
    logDirectory(directory, (level, event, message) => lines.push(`${level} ${event} ${message}`));
    const logged = (text: string): Promise<void> => until(text, () => lines.some((line) => line.includes(text)));

    dns.reply({
      records: [
        { target: 'b.example', port: 2 },
        { target: 'a b', port: 1 },
        { target: 'c d', port: 1 },
      ],
    });
    await logged('info coordinators coordinators: tcp://b.example:2');
    await logged('warn entry-skipped skipped an entry of the registry: "tcp://a b:1" is not an endpoint');
    await logged('warn entry-skipped skipped an entry of the registry: "tcp://c d:1" is not an endpoint');
    dns.reply({ rcode: 'REFUSED' });
    await logged('warn list-stale coordinator list is stale: ');
    dns.reply({ rcode: 'SERVFAIL' });
    await logged('warn list-stale coordinator list is still stale: ');
    await logged('error list-expired coordinator list has expired: the cluster route answers 503');
    dns.reply({ rcode: 'NXDOMAIN' });
    await logged('info list-live coordinator list is live again');
    await logged('info coordinators coordinators: none');
    await directory.close();
    await dns.close();
  }));

describe('The log of a directory that somebody else reads', () =>
  it('has a line for an entry that is no text, which says what it is', async () => {
    const directory = await createPolledDirectory({ read: () => ['tcp://a:1', 7] as string[] });
    const lines: string[] = [];
    logDirectory(directory, (_level, _event, message) => lines.push(message));
    expect(lines).toEqual(['skipped an entry of the registry: an entry is no text, but number']);
    await directory.close();
  }));

describe('A log', () => {
  const LEVELS = ['error', 'warn', 'info', 'debug'] as const;
  const logged = (
    options: Parameters<typeof createLog>[1],
    use: (log: ReturnType<typeof createLog>) => void,
  ): string[] => {
    const terminal = new FakeTerminal();
    use(createLog(terminal, options));
    return terminal.complaints;
  };

  it('is text, a line for each event', () => {
    const lines = logged(
      () => ({}),
      (log) => {
        log('info', 'registered', 'registered as tcp://a:1', { endpoint: 'tcp://a:1' });
        log('error', 'reload-failed', '2 problems:\nfirst\nsecond');
      },
    );
    expect(lines).toEqual([
      'express-endpoint-listing: registered as tcp://a:1',
      'express-endpoint-listing: error: 2 problems: first; second',
    ]);
  });

  it('has a time in front of each line, unless journald adds one or --log.time says otherwise', () => {
    const begins = (env: Record<string, string>, options: Parameters<typeof createLog>[1]): string => {
      const terminal = Object.assign(new FakeTerminal(), { env });
      createLog(terminal, options)('warn', 'list-stale', 'old');
      return String(terminal.complaints[0]).replace(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z/, 'TIME');
    };
    expect(begins({}, () => ({}))).toBe('TIME express-endpoint-listing: warn: old');
    expect(begins({ JOURNAL_STREAM: '8:1' }, () => ({}))).toBe('express-endpoint-listing: warn: old');
    expect(begins({}, () => ({ logTime: false }))).toBe('express-endpoint-listing: warn: old');
    expect(begins({ JOURNAL_STREAM: '8:1' }, () => ({ logTime: true }))).toBe(
      'TIME express-endpoint-listing: warn: old',
    );
  });

  it('is JSON with --log.format json: an object for each event, in one line', () => {
    const lines = logged(
      () => ({ logFormat: 'json' }),
      (log) => log('warn', 'list-stale', 'first\nsecond', { endpoints: ['tcp://a:1'] }),
    );
    expect(lines).toHaveLength(1);
    const { time, ...event } = JSON.parse(lines[0] ?? '') as { time: string };
    expect(event).toEqual({ level: 'warn', event: 'list-stale', message: 'first\nsecond', endpoints: ['tcp://a:1'] });
    expect(time).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
  });

  it.each<[LogLevel | undefined, readonly string[]]>([
    ['error', ['error']],
    ['warn', ['error', 'warn']],
    ['info', ['error', 'warn', 'info']],
    [undefined, ['error', 'warn', 'info']],
    ['debug', LEVELS],
  ])('with --log.level %s has events of the levels %j', (logLevel, expected) => {
    const lines = logged(
      () => (logLevel === undefined ? {} : { logLevel }),
      (log) => {
        for (const level of LEVELS) log(level, 'event', level);
      },
    );
    expect(lines.map((line) => line.replace(/^.*: /, ''))).toEqual(expected);
  });

  it.each(['text', 'json'] as const)('as %s has nothing in it that changes a terminal', (logFormat) => {
    const [line = ''] = logged(
      () => ({ logFormat }),
      (log) => log('error', 'event', 'a\u001b[31mb\u009bc\u202ed\u2028e\u{e0001}f'),
    );
    expect(line).toContain('a\\u001b[31mb\\u009bc\\u202ed\\u2028e\\udb40\\udc01f');
    if (logFormat === 'json') {
      expect(JSON.parse(line)).toMatchObject({ message: 'a\u001b[31mb\u009bc\u202ed\u2028e\u{e0001}f' });
    }
  });
});
