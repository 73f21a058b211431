import { IncomingMessage, type ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import type { DirectoryStatus } from '../../lib/directory/directory.js';
import { listAge } from '../../lib/directory/index.js';
import { listAge as ofSrvRecords } from '../../lib/dns-srv/index.js';
import { listAge as ofEtcd } from '../../lib/etcd/index.js';
import { listAge as ofHealth } from '../../lib/health/index.js';
import { listAge as ofUpstream } from '../../lib/upstream/index.js';

function headersOf(state: DirectoryStatus['state'], ageMs: number): [headers: unknown[], passedOn: number] {
  const headers: unknown[] = [];
  let passedOn = 0;
  const status = () => ({ state, ageMs, count: 3, down: 0, skipped: 0, relists: 1, events: 0, entries: [] });
  const res = { setHeader: (...header: unknown[]) => headers.push(header) };
  listAge({ status })(new IncomingMessage(new Socket()), res as unknown as ServerResponse, () => (passedOn += 1));
  return [headers, passedOn];
}

describe('the mark of a stale list', () => {
  it('is a header with the whole seconds since the last confirmation', () => {
    expect(headersOf('stale', 12_999.9)).toStrictEqual([[['X-Endpoint-List-Age', 12]], 1]);
    expect(headersOf('stale', 3.2)).toStrictEqual([[['X-Endpoint-List-Age', 0]], 1]);
  });

  it.each(['live', 'closed'] as const)('is absent while the directory is %s', (state) =>
    expect(headersOf(state, 2000)).toStrictEqual([[], 1]),
  );
});

it('the mark of an expired list is the time after which a client may ask again', () =>
  expect(headersOf('expired', 901_000)).toStrictEqual([[['Retry-After', '1']], 1]));

it('every subpath with a directory has the same listAge', () =>
  expect([ofSrvRecords, ofEtcd, ofHealth, ofUpstream]).toEqual(Array(4).fill(listAge)));
