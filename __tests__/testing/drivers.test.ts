import { execFile } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import type { TestCluster, Trouble } from '../../lib/testing/index.js';
import { TROUBLE_RULES } from '../../lib/testing/trouble-rules.js';
import { tablesOf } from '../support/drivers/documented.js';
import { probeArangojs } from '../support/drivers/probe-arangojs.js';
import { useScratchFolder } from '../support/process/scratch-folder.js';
import { clusters } from '../support/testing/cluster.js';

const start = clusters();
const scratchFile = useScratchFolder();

/** A trouble, and what drivers that are not changed make of it when they ask for the list. */
interface Row {
  readonly trouble: Trouble;
  readonly arangojs8: string;
  readonly arangojs10: string;
  /** The request of python-arango, by curl: the status, or the exit code when there is no whole answer. */
  readonly curl: string;
}

/** The rows of the table in docs/testing.md: one coordinator of three has the trouble. */
const [, ...CELLS] = tablesOf(readFileSync('docs/testing.md', 'utf8')).find(([head]) => head?.[0] === 'trouble') ?? [];
const ROWS = CELLS.map(rowOf);

function rowOf([cell = '', arangojs8 = '', arangojs10 = '', curl = '']: readonly string[]): Row {
  const [, kind, members = ''] = /^`(.*)`(.*)$/.exec(cell) ?? [];
  const named = Array.from(members.matchAll(/(\w+) ([^ ,]+)/g), ([, name = '', value = '']): [string, unknown] => [
    name,
    /^-?\d+$/.test(value) ? Number(value) : value,
  ]);
  const trouble = { kind, ...Object.fromEntries(named), coordinator: 0 } as unknown as Trouble;
  return { trouble, arangojs8, arangojs10, curl };
}

/** How long something that waits is watched; what does not wait has much longer, for the machine may be busy. */
const WAITS_MS = 2000;
const LIMIT_MS = 60_000;
const PROBES = 5;
/** What curl ends with when it has waited for as long as it was told. */
const TIMED_OUT = 'exit 28';

/** What curl prints, or its exit code. */
function curl(...args: readonly string[]): Promise<string> {
  return new Promise((resolve) => {
    execFile('curl', args, (error, stdout) => resolve(error === null ? stdout : `exit ${String(error.code)}`));
  });
}

/** A cluster for each row. */
function troubledClusters(): Promise<TestCluster[]> {
  return Promise.all(
    ROWS.map(async ({ trouble }) => {
      const cluster = await start({ ssl: trouble.kind === 'tls' });
      cluster.trouble(trouble);
      return cluster;
    }),
  );
}

function authorities(all: readonly TestCluster[]): string {
  const path = scratchFile('authorities.pem');
  writeFileSync(path, all.map(({ ca }) => ca ?? '').join(''));
  return path;
}

/** What a driver makes of each cluster. A process asks one cluster after the other and waits most of the time, so there are some. */
async function probed(driver: 'arangojs8' | 'arangojs10', all: readonly TestCluster[]): Promise<string[]> {
  const env = { NODE_EXTRA_CA_CERTS: authorities(all) };
  const each = Math.ceil(all.length / PROBES);
  const jobs = all.map(({ urls }, row) => ({
    url: String(urls[0]),
    limitMs: ROWS[row]?.[driver] === 'waits' ? WAITS_MS : LIMIT_MS,
    inTurn: false,
  }));
  const seen = await Promise.all(
    Array.from({ length: PROBES }, (_, index) =>
      probeArangojs(driver.replace(/10$/, ''), jobs.slice(index * each, (index + 1) * each), env),
    ),
  );
  return seen.flat().map(({ call, hosts, again }) => {
    if (call !== 'ok') return call;
    return `${String(hosts.length)} hosts${again === 'ok' ? '' : `, then ${again}`}`;
  });
}

/**
 * The row that a driver may see in place of one when it is not given the processor in time. A reset that it finds together with the bytes
 * before it is an end to libuv, as behind a body that was cut off; a kept connection that is closed may be in use again before that arrives.
 */
function insteadOf({ trouble }: Row): Row | undefined {
  if (trouble.kind === 'reset' && trouble.at === 'after-head') {
    return ROWS.find(({ trouble: other }) => other.kind === 'truncated-body');
  }
  if (trouble.kind !== 'keep-alive') return undefined;
  return ROWS.find(({ trouble: other }) => other.kind === 'keep-alive' && other.closed === 'while-sending');
}

describe('What drivers make of each trouble', () => {
  it.each(['arangojs8', 'arangojs10'] as const)('is in the table, for %s', async (driver) => {
    const all = await troubledClusters();
    const seen = await probed(driver, all);
    expect(ROWS.map(({ trouble }, index) => [trouble, seen[index]])).toEqual(
      ROWS.map((row, index) => {
        const isInstead = seen[index] === insteadOf(row)?.[driver];
        return [row.trouble, isInstead ? seen[index] : row[driver]];
      }),
    );
  });

  it("is in the table, for python-arango's request", async () => {
    const all = await troubledClusters();
    const ca = authorities(all);
    const seen = await Promise.all(
      all.map(async ({ urls }, index) => {
        const limit = String((ROWS[index]?.curl === TIMED_OUT ? WAITS_MS : LIMIT_MS) / 1000);
        const settings = ['-sSL', '--compressed', '--max-time', limit, '--cacert', ca, '-o', '/dev/null'];
        const request = ['-u', 'root:', '-H', 'content-type: application/json', '-H', 'charset: utf-8'];
        const url = `${String(urls[0])}/_db/_system/_api/cluster/endpoints`;
        return [ROWS[index]?.trouble, await curl(...settings, '-w', '%{http_code}', ...request, url)];
      }),
    );
    expect(seen).toEqual(ROWS.map((row) => [row.trouble, row.curl]));
  });

  it('has a row for every kind of trouble', () => {
    const kinds = [...new Set(ROWS.map(({ trouble }) => trouble.kind))];
    expect(kinds).toEqual(Object.keys(TROUBLE_RULES));
  });
});
