import type { FakeEtcdStore, StoreEvent } from './fake-etcd-store.js';

/** An error of etcd: its gRPC code, its text, and the HTTP status that the gateway makes of it. */
export class EtcdError extends Error {
  constructor(
    readonly code: number,
    message: string,
    readonly status: number,
  ) {
    super(message);
  }
}

/** The users that etcd knows, and the tokens that it takes. */
export interface FakeAuth {
  readonly name: string;
  readonly password: string;
  readonly tokens: Set<string>;
}

type Body = Readonly<Record<string, unknown>>;

const noLease = (): EtcdError => new EtcdError(5, 'etcdserver: requested lease not found', 404);

/** What etcd answers to each request, as JSON values; what is zero or empty is omitted. */
export class FakeEtcdAnswers {
  /** Counts the elections of a leader. */
  term = 2;
  readonly #store: FakeEtcdStore;

  constructor(store: FakeEtcdStore) {
    this.#store = store;
  }

  header(): object {
    const { revision } = this.#store;
    return {
      cluster_id: '324952591200643719',
      member_id: '3319814642761637952',
      revision: String(revision),
      raft_term: String(this.term),
    };
  }

  answer(path: string, body: Body): object {
    switch (path) {
      case '/v3/kv/range':
        return this.#range(body);
      case '/v3/kv/put':
        return this.#put(String(body['key']), String(body['lease']));
      case '/v3/lease/grant':
        return this.#grant(Math.max(2, Number(body['TTL'])));
      case '/v3/lease/keepalive':
        return { result: this.#keepAlive(String(body['ID'])) };
      case '/v3/lease/revoke':
        return this.#revoke(String(body['ID']));
      default:
        throw new EtcdError(12, `no such path: ${path}`, 501);
    }
  }

  authenticate({ name, password }: Body, auth: FakeAuth | undefined): object {
    if (!auth) throw new EtcdError(9, 'etcdserver: authentication is not enabled', 412);
    if (name !== auth.name || password !== auth.password) {
      throw new EtcdError(3, 'etcdserver: authentication failed, invalid user ID or password', 400);
    }
    const token = `token.${String(auth.tokens.size)}.${Math.random().toString(36).slice(2)}`;
    auth.tokens.add(token);
    return { header: this.header(), token };
  }

  authorise(token: string | undefined, auth: FakeAuth | undefined): void {
    if (!auth) return;
    if (token === undefined) throw new EtcdError(3, 'etcdserver: user name is empty', 400);
    if (!auth.tokens.has(token)) throw new EtcdError(16, 'etcdserver: invalid auth token', 401);
  }

  created(): object {
    return { result: { header: this.header(), created: true } };
  }

  events(events: readonly StoreEvent[]): object {
    return { result: { header: this.header(), events: events.map(eventOf) } };
  }

  #range(body: Body): object {
    const kvs = [...this.#store.keys].map(([key, { created, modified, lease }]) => ({
      key,
      create_revision: String(created),
      mod_revision: String(modified),
      version: '1',
      ...(lease !== undefined && { lease }),
    }));
    if (kvs.length === 0) return { header: this.header() };
    if (body['sort_target'] === 'MOD' && body['sort_order'] === 'DESCEND') {
      kvs.sort((left, right) => Number(BigInt(right.mod_revision) - BigInt(left.mod_revision)));
      const first = kvs.slice(0, Number(body['limit']));
      return {
        header: this.header(),
        kvs: first,
        ...(first.length < kvs.length && { more: true }),
        count: String(kvs.length),
      };
    }
    return { header: this.header(), ...(body['count_only'] !== true && { kvs }), count: String(kvs.length) };
  }

  #put(key: string, lease: string): object {
    if (!this.#store.leases.has(lease)) throw noLease();
    this.#store.put(key, lease);
    return { header: this.header() };
  }

  #grant(ttlSeconds: number): object {
    return { header: this.header(), ID: this.#store.grant(ttlSeconds), TTL: String(ttlSeconds) };
  }

  #keepAlive(lease: string): object {
    const ttlSeconds = this.#store.leases.get(lease);
    return { header: this.header(), ID: lease, ...(ttlSeconds !== undefined && { TTL: String(ttlSeconds) }) };
  }

  #revoke(lease: string): object {
    if (!this.#store.leases.has(lease)) throw noLease();
    this.#store.endLease(lease);
    return { header: this.header() };
  }
}

/** as a watch reports it: a put has no type, a deleted key nothing but its name. */
function eventOf({ revision, key, deleted, lease }: StoreEvent): object {
  const modified = String(revision);
  if (deleted) return { type: 'DELETE', kv: { key, mod_revision: modified } };
  const kv = { key, create_revision: modified, mod_revision: modified, version: '1' };
  return { kv: { ...kv, ...(lease !== undefined && { lease }) } };
}
