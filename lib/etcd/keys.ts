/** Where the endpoints stand in etcd: under a prefix, each in a key of its own. JSON carries keys as base64. */
export class Keys {
  readonly #prefix: string;
  /** What `range_end` and `key` of a question for all keys are. */
  readonly range: { readonly key: string; readonly range_end: string };

  constructor(prefix: string) {
    this.#prefix = prefix;
    const end = Buffer.from(prefix);
    // The first text behind all that begin with the prefix. UTF-8 has no byte 255, so there is always a next one.
    end.writeUInt8(end.readUInt8(end.length - 1) + 1, end.length - 1);
    this.range = { key: Buffer.from(prefix).toString('base64'), range_end: end.toString('base64') };
  }

  /** The key of an endpoint. It makes a restart within the lease's time keep one entry. */
  of(endpoint: string): string {
    return Buffer.from(this.#prefix + endpoint).toString('base64');
  }

  /** What stands behind the prefix: an endpoint, or whatever somebody else has put there. */
  entry(key: string): string {
    return Buffer.from(key, 'base64').subarray(Buffer.byteLength(this.#prefix)).toString();
  }
}
