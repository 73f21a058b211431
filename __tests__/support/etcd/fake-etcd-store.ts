/** One change of one key, as a watch reports it. */
export interface StoreEvent {
  readonly revision: bigint;
  readonly key: string;
  readonly deleted: boolean;
  readonly lease?: string;
}

interface StoredKey {
  readonly created: bigint;
  readonly modified: bigint;
  readonly lease?: string;
}

/** As much of etcd's store as the gateway's clients can see: keys with revisions, leases, the history. Keys are base64. */
export class FakeEtcdStore {
  revision = 1n;
  readonly keys = new Map<string, StoredKey>();
  readonly leases = new Map<string, number>();
  readonly history: StoreEvent[] = [];
  /** Told after each change. */
  onChange: () => void = () => undefined;
  #nextLease = 7_587_861_000_000_000_001n;

  put(key: string, lease?: string): void {
    this.revision += 1n;
    const created = this.keys.get(key)?.created ?? this.revision;
    this.keys.set(key, { created, modified: this.revision, ...(lease !== undefined && { lease }) });
    this.#record({ revision: this.revision, key, deleted: false, ...(lease !== undefined && { lease }) });
  }

  delete(...keys: readonly string[]): void {
    this.revision += 1n;
    for (const key of keys) {
      this.keys.delete(key);
      this.history.push({ revision: this.revision, key, deleted: true });
    }
    this.onChange();
  }

  /** A change that no watch will ever report. */
  forget(change: () => void): void {
    const { onChange } = this;
    this.onChange = () => undefined;
    change();
    this.history.length = 0;
    this.onChange = onChange;
  }

  grant(ttlSeconds: number): string {
    const lease = String(this.#nextLease);
    this.#nextLease += 1n;
    this.leases.set(lease, ttlSeconds);
    return lease;
  }

  /** What `revoke` does and what happens to a lease that is not renewed. */
  endLease(lease: string): void {
    this.leases.delete(lease);
    const attached = [...this.keys].filter(([, stored]) => stored.lease === lease).map(([key]) => key);
    if (attached.length > 0) this.delete(...attached);
  }

  /** The data directory is lost. */
  wipe(): void {
    this.revision = 1n;
    this.keys.clear();
    this.leases.clear();
    this.history.length = 0;
  }

  #record(event: StoreEvent): void {
    this.history.push(event);
    this.onChange();
  }
}
