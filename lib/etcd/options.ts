import { canonicalOrigin } from '../endpoint/host.js';
import { group, kindOf, readItems, readOptions, type OptionRule } from '../options/read-options.js';
import { ABORT_SIGNAL, boolean, milliseconds, millisecondsOrInfinity, optional, TEXT } from '../options/rules.js';
import { TLS, type TlsOptions } from '../options/tls.js';

/** A user of etcd's own authentication. */
export interface EtcdAuth {
  readonly username: string;
  readonly password: string;
}

/** Options of `createEtcdDirectory`; times in ms. */
export interface EtcdDirectoryOptions {
  /** `http(s)://host:port` of every etcd member, IPv6 in brackets; tried in this order. */
  readonly hosts: readonly string[];
  /**
   * The prefix of the keys: a key is the prefix and an endpoint.
   * @defaultValue `'/coordinators/'`
   */
  readonly prefix?: string;
  readonly auth?: EtcdAuth;
  readonly tls?: TlsOptions;
  /**
   * How long opening and registering may take, over all hosts.
   * @defaultValue 5000
   */
  readonly connectTimeoutMs?: number;
  /**
   * How long one response may take.
   * @defaultValue 2000
   */
  readonly requestTimeoutMs?: number;
  /**
   * How often to check that the watched host can reach the majority, and that no change was missed.
   * @defaultValue 2000
   */
  readonly probeIntervalMs?: number;
  /**
   * How often to read the complete list, even if the watch reports no change.
   * @defaultValue 300000
   */
  readonly relistIntervalMs?: number;
  /**
   * How long the provider keeps returning a list that etcd no longer confirms before it throws; 0: not at all.
   * @defaultValue 900000
   */
  readonly maxStaleMs?: number;
  /**
   * The waits between attempts grow from `minMs` to `maxMs`, with jitter.
   * @defaultValue `{ minMs: 100, maxMs: 2000 }`
   */
  readonly retry?: { readonly minMs?: number; readonly maxMs?: number };
  /**
   * Keeps this process's endpoints listed even if etcd loses them.
   * @defaultValue true
   */
  readonly includeSelf?: boolean;
  /** Cancels opening: `createEtcdDirectory` rejects with its reason. Has no effect afterwards. */
  readonly signal?: AbortSignal;
}

/** The options, checked and prepared. */
export type EtcdSettings = ReturnType<typeof readEtcdOptions>;

const HOST = 'http(s)://host:port, without user, password, path or query';
const HOST_SHAPE = /^https?:\/\/[^/?#@]+\/?$/i;

const hosts: OptionRule<readonly string[]> = {
  allowed: `an array of one or more ${HOST}`,
  read: (value, label) =>
    Array.isArray(value) && value.length > 0
      ? Object.freeze([...new Set(readItems(value, label, originOf, HOST))])
      : undefined,
};
const RETRY = { minMs: 100, maxMs: 2000 };
const waits = group({ minMs: milliseconds(1, RETRY.minMs), maxMs: milliseconds(1, RETRY.maxMs) });
const retry: OptionRule<{ readonly minMs: number; readonly maxMs: number }> = {
  ...waits,
  allowed: `${waits.allowed}, the first no longer than the second`,
  fallback: RETRY,
  read: (value, label) => {
    const read = waits.read(value, label);
    return read && read.minMs <= read.maxMs ? read : undefined;
  },
};
const RULES = {
  hosts,
  prefix: { ...TEXT, fallback: '/coordinators/' },
  auth: optional(group({ username: TEXT, password: { ...TEXT, show: kindOf } })),
  tls: optional(TLS),
  connectTimeoutMs: milliseconds(1, 5000),
  requestTimeoutMs: milliseconds(1, 2000),
  probeIntervalMs: milliseconds(1, 2000),
  relistIntervalMs: milliseconds(1, 300_000),
  maxStaleMs: millisecondsOrInfinity(0, 900_000),
  retry,
  includeSelf: boolean(true),
  signal: optional(ABORT_SIGNAL),
};

/** @throws `TypeError` naming the option, its value (or its type, if it may be a secret) and what is allowed. */
export function readEtcdOptions(options: EtcdDirectoryOptions) {
  const settings = readOptions('createEtcdDirectory', options, RULES);
  // If you give certificates, you expect encryption; a plain host would get the password in clear text.
  const plain = settings.hosts.find((host) => host.startsWith('http:'));
  if (settings.tls && plain) {
    throw new TypeError(`createEtcdDirectory: option hosts must be https:// hosts with option tls, got ${plain}`);
  }
  return settings;
}

function originOf(host: unknown): string | undefined {
  const url = typeof host === 'string' && HOST_SHAPE.test(host) && URL.canParse(host) ? new URL(host) : undefined;
  return url && url.port !== '0' ? canonicalOrigin(url) : undefined;
}
