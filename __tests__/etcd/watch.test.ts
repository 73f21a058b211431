import { EtcdError } from '../support/etcd/fake-etcd-answers.js';
import type { FakeEtcdGateway, EtcdRequest } from '../support/etcd/fake-etcd-gateway.js';
import { eventsOf, etcdScenario } from '../support/etcd/etcd-scenario.js';
import { until } from '../support/until.js';

const A = 'tcp://10.0.0.1:8529';
const B = 'tcp://10.0.0.2:8529';

const scenario = etcdScenario();

/** The next watch is answered with these texts, and then as ever; nothing behind the last one comes. */
function nextWatch(gateway: FakeEtcdGateway, texts: (gateway: FakeEtcdGateway) => readonly (object | string)[]): void {
  gateway.override = ({ path, res }: EtcdRequest) => {
    if (path !== '/v3/watch') return false;
    gateway.override = () => false;
    res.writeHead(200);
    for (const text of texts(gateway)) res.write(typeof text === 'string' ? text : `${JSON.stringify(text)}\n`);
    return true;
  };
}

const header = { cluster_id: '324952591200643719', member_id: '3319814642761637952', revision: '2', raft_term: '2' };
const created = { result: { header, created: true } };
const noLeader = new EtcdError(14, 'etcdserver: no leader', 503);

describe('a watch that can no longer be relied on', () => {
  it.each<[string, (gateway: FakeEtcdGateway) => readonly (object | string)[], string]>([
    [
      'has its history compacted',
      () => [created, { result: { header: { ...header, revision: '0' }, canceled: true, compact_revision: '9' } }],
      'watch canceled: history compacted up to revision 9',
    ],
    [
      'is canceled with a reason',
      () => [created, { result: { header, canceled: true, cancel_reason: 'etcdserver: mvcc: watcher is slow' } }],
      'watch canceled: "etcdserver: mvcc: watcher is slow"',
    ],
    ['is canceled without a reason', () => [created, { result: { header, canceled: true } }], 'watch canceled: ""'],
    ['has lost its leader', (gateway) => [created, gateway.streamError(noLeader)], 'etcdserver: no leader'],
    ['is no JSON', () => [created, '{"result":oops}\n'], 'line is not JSON'],
    ['has no result', () => [created, {}], 'unexpected response from etcd: field "result"'],
    ['is a number', () => [created, '5\n'], 'unexpected response from etcd: field "message"'],
    ['has an error that is none', () => [created, { error: 'broken' }], 'unexpected response from etcd: field "error"'],
    [
      'has events that are no list',
      () => [created, { result: { header, events: 'PUT' } }],
      'unexpected response from etcd: field "events"',
    ],
    [
      'has an event of another type',
      () => [created, { result: { header, events: [{ type: 'RENAME', kv: {} }] } }],
      'unknown type of change: "RENAME"',
    ],
    [
      'has an event without a key',
      () => [created, { result: { header, events: [{ kv: { mod_revision: '3' } }] } }],
      'unexpected response from etcd: field "key"',
    ],
    [
      'has a revision that is a number, which JavaScript would round',
      () => [created, { result: { header, events: [{ kv: { key: 'YQ==', mod_revision: 9007199254740993 } }] } }],
      'unexpected response from etcd: field "mod_revision"',
    ],
    [
      'has a line without an end',
      () => [created, '"'.padEnd(17_000_000, 'x')],
      'line of more than 16777216 characters',
    ],
  ])('%s: the list is stale, read again, and live', async (_, texts, reason) => {
    for (const shape of ['v1', 'v2'] as const) {
      const { gateway, directory, events } = await scenario.follow([A], {}, shape);
      nextWatch(gateway, texts);
      gateway.cut();
      await until('the list was read a third time', () => directory.status().relists === 3);
      expect(directory.status()).toMatchObject({ state: 'live', lastError: `etcd ${gateway.url}: ${reason}` });
      expect(events).toStrictEqual(['stale', 'live', 'stale', 'live']);
      gateway.put(B);
      await until('B is listed', () => directory.provider().includes(B));
    }
  });

  it('ends: the list is stale, read again, and live', async () => {
    const gateway = await scenario.gateway();
    gateway.put(A);
    let end: () => void = () => undefined;
    gateway.override = ({ path, res }) => {
      if (path === '/v3/watch') end = () => res.end();
      return false;
    };
    const directory = await scenario.open([gateway.url]);
    const events = eventsOf(directory);
    end();
    await until('it is live again', () => events.includes('live'));
    expect(events).toStrictEqual(['stale', 'live']);
    expect(directory.status().lastError).toBe(`etcd ${gateway.url}: watch ended`);
  });

  it('is not allowed: created and canceled in one message, as etcd 3.4 says it', async () => {
    const gateway = await scenario.gateway();
    nextWatch(gateway, () => [
      {
        result: {
          header,
          watch_id: '-1',
          created: true,
          canceled: true,
          cancel_reason: 'rpc error: code = PermissionDenied desc = etcdserver: permission denied',
        },
      },
    ]);
    const directory = await scenario.open([gateway.url]);
    expect(directory.status().lastError).toBe(
      `etcd ${gateway.url}: watch canceled: "rpc error: code = PermissionDenied desc = etcdserver: permission denied"`,
    );
  });

  it('never says that it is there: another is opened after requestTimeoutMs', async () => {
    const gateway = await scenario.gateway();
    nextWatch(gateway, () => []);
    const directory = await scenario.open([gateway.url], { requestTimeoutMs: 300 });
    expect(directory.status().lastError).toBe(`etcd ${gateway.url}: no answer within 300 ms`);
  });
});

describe('a watch that is in order', () => {
  it('may belong to a host that lags behind the one the list came from', async () => {
    const gateway = await scenario.gateway();
    gateway.put(A);
    nextWatch(gateway, () => [
      { result: { header: { ...header, revision: '1' }, created: true } },
      {
        result: {
          header: { ...header, revision: '3' },
          events: [{ kv: { key: 'L2Nvb3JkaW5hdG9ycy9i', mod_revision: '3' } }],
        },
      },
    ]);
    const directory = await scenario.open([gateway.url], { probeIntervalMs: 60_000 });
    await until('the change is here', () => directory.status().events === 1);
    expect(directory.status()).toMatchObject({ state: 'live', relists: 1 });
  });

  it('may name the type of a put, say nothing for a while, and have changes in its first message', async () => {
    const gateway = await scenario.gateway();
    const kv = { key: Buffer.from(`/coordinators/${A}`).toString('base64'), mod_revision: '3' };
    nextWatch(gateway, () => [
      { result: { header, created: true, events: [{ type: 'PUT', kv }] } },
      { result: { header } },
    ]);
    const directory = await scenario.open([gateway.url], { probeIntervalMs: 60_000 });
    await until('A is listed', () => directory.provider().includes(A));
    expect(directory.status()).toMatchObject({ state: 'live', relists: 1, events: 1 });
  });
});
