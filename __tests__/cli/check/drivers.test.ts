import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv2020, type AnySchemaObject } from 'ajv/dist/2020.js';
import { driverLines } from '../../../lib/cli/check/report.js';
import { runCheck } from '../../../lib/cli/check/run-check.js';
import { FakeCheckTerminal } from '../../support/check/check-terminal.js';
import { useListedServers } from '../../support/check/listed-servers.js';
import { withPatience } from '../../support/patience.js';

const servers = useListedServers();
withPatience();
const schema = JSON.parse(readFileSync(join(__dirname, '../../../check.schema.json'), 'utf8')) as AnySchemaObject;
const isDocument = new Ajv2020({ strict: true, strictTypes: false }).compile(schema);

async function check(...args: readonly string[]): Promise<{ exitCode: number; out: string; err: string }> {
  const terminal = new FakeCheckTerminal();
  const exitCode = await runCheck(args, terminal);
  return { exitCode, out: terminal.stdout.text, err: terminal.stderr.text };
}

/** A list that all can be used of, and that breaks Java and Kafka's connector. */
async function listWithIpv6(): Promise<string> {
  const asked = await servers.plain();
  servers.list = [asked, await servers.plain(servers.answer, '::1')];
  return asked;
}

describe('check --driver', () => {
  it('says what a driver would do with the answer, and is 1 if that breaks it', async () => {
    const asked = await listWithIpv6();
    const { exitCode, out } = await check('--driver', 'java@7.26', asked);
    const [, port] = /\[::1\]:(\d+)/.exec(String(servers.list[1])) ?? [];
    const host = asked.replace('tcp://', '');
    expect(out).toContain(
      `\njava 7.4 to 7.26.0 breaks: IPv6 with two colons: misreads it (${String(servers.list[1])}), as seen in a run; uses ${host}, 127.0.0.1:${String(port)}\n`,
    );
    expect(out).toContain('Both can be used from here. A driver may still break on the list: see above.');
    expect(exitCode).toBe(1);
  });

  it('is 0 for the drivers that the same answer does not break, however many are asked for', async () => {
    const { exitCode, out } = await check('--driver', 'go', '--driver=arangojs@10', await listWithIpv6());
    expect(out).toContain('\nnothing breaks arangojs 10.1 to 10.4.0, go 1.0 to 1.6.9, go 2.1.6 to 3.0\n');
    expect(exitCode).toBe(0);
  });

  it('names a few of many endpoints, and whether any host is left', async () => {
    const asked = await servers.plain();
    servers.list = [1, 2, 3, 4].map((port) => `tcp://[::ffff:7f00:1]:${String(port)}`);
    const { out } = await check('--driver', 'java@6', '--driver', 'kafka-connect', asked);
    expect(out).toContain(
      'java 6.6.1 to 6.8.0 breaks: IPv6 with more colons: skips it (tcp://[::ffff:7f00:1]:1, tcp://[::ffff:7f00:1]:2, tcp://[::ffff:7f00:1]:3 and 1 more), as seen in a run; no entry that it does not skip: keeps its list, as seen in a run; uses no host\n',
    );
    expect(out).toMatch(/kafka-connect 1\.0 to 2\.0\.0 breaks: IPv6 with more colons: fails .*, as its source says\n/);
  });

  it('says it of an answer that is no listing, too, beside the reason', async () => {
    const asked = await servers.plain(servers.json(503, { error: true, code: 503, errorNum: 1478, errorMessage: 'x' }));
    const { exitCode, out, err } = await check('--driver', 'java@7.26', asked);
    expect(out).toBe(
      'java 7.4 to 7.26.0 breaks: 503 with errorNum 1478: fails for good, as seen in a run; an application does not start with it, and a refresh is the last one\n',
    );
    expect(err).toContain('the server refused with 503 / 1478: "x"');
    expect(exitCode).toBe(2);
  });

  it('wraps on a terminal, and stands in red', () => {
    const driver = {
      driver: 'java',
      versions: '7.4 to 7.26.0',
      source: 'ran it',
      breaks: true,
      fails: false,
      endsRefreshing: false,
      handsOn: false,
      hosts: ['10.0.0.1:8529'],
      misread: [],
      dropped: ['tcp://a'],
      unknown: [],
      findings: [
        {
          kind: 'no-port',
          message: 'no port: skips it',
          breaks: true,
          endpoints: ['tcp://a'],
          evidence: 'run' as const,
        },
      ],
    };
    expect(driverLines([driver], { width: 40, colors: true })).toEqual([
      '\u001b[31mjava 7.4 to 7.26.0 breaks\u001b[0m: no port:',
      '  skips it (tcp://a), as seen in a run;',
      '  uses 10.0.0.1:8529',
    ]);
  });

  it('says of what it is not known, and claims nothing of that', async () => {
    const asked = await servers.plain();
    servers.list = [asked, 'gopher://127.0.0.1:1'];
    const { out } = await check('--driver', 'go', '--driver', 'java@7.26', asked);
    expect(out).toContain(
      '\nnot known of java 7.4 to 7.26.0, go 1.0 to 1.6.9, go 2.1.6 to 3.0: gopher://127.0.0.1:1\n',
    );
    expect(out).not.toContain('nothing breaks');
  });

  it('is 2 for a driver of which nothing is known', async () => {
    const { exitCode, out, err } = await check('--driver', 'rust@1', 'tcp://127.0.0.1:1');
    expect([exitCode, out]).toEqual([2, '']);
    expect(err).toContain('nothing is known of "rust"; known are arangojs, java');
  });
});

describe('check --drivers', () => {
  it('asks for all that are known, in --json as the schema in the package has it', async () => {
    const { exitCode, out } = await check('--drivers', '--json', await listWithIpv6());
    const document = JSON.parse(out) as { drivers: readonly { driver: string; breaks: boolean }[] };
    expect(isDocument(document)).toBe(true);
    const broken = new Set(document.drivers.filter(({ breaks }) => breaks).map(({ driver }) => driver));
    expect([...broken]).toEqual(['java', 'kafka-connect']);
    expect(exitCode).toBe(1);
  });

  it('stands beside the error in --json where there is no listing', async () => {
    const asked = await servers.plain(servers.json(404, {}));
    const document: unknown = JSON.parse((await check('--drivers', '--json', asked)).out);
    expect(isDocument(document)).toBe(true);
    expect(document).toMatchObject({
      ok: false,
      error: { code: 404 },
      drivers: [{ driver: 'arangojs', fails: true }, ...Array.from({ length: 17 }, () => ({}))],
    });
  });
});
