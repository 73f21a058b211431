import { createSecureContext, type SecureContext } from 'node:tls';
import { shown } from '../../endpoint/syntax-error.js';
import { boolean, group, milliseconds, millisecondsOrInfinity, type ReadRule, readOptions } from '../options.js';

/** A user of etcd's own authentication. */
export interface EtcdAuth {
  readonly username: string;
  readonly password: string;
}

/** How to trust the hosts and what to show them; PEM texts or buffers. */
export interface EtcdTls {
  /** The authority that signed the hosts' certificates; default: those that Node trusts. */
  readonly ca?: string | Buffer;
  /** The client certificate; needs `key`. */
  readonly cert?: string | Buffer;
  readonly key?: string | Buffer;
  /** The name that the hosts' certificates carry, where it is not the one in `hosts`. */
  readonly servername?: string;
}

/** Options of `createEtcdDirectory`; times in ms. */
export interface EtcdDirectoryOptions {
  /** `http(s)://host:port` of every etcd member, IPv6 in brackets; tried in this order, beginning with the first. */
  readonly hosts: readonly string[];
  /** What the keys begin with; a key is the prefix and an endpoint. Default `/coordinators/`. */
  readonly prefix?: string;
  readonly auth?: EtcdAuth;
  readonly tls?: EtcdTls;
  /** How long opening and registering may take, over all hosts; default 5000. */
  readonly connectTimeoutMs?: number;
  /** How long one answer may take; default 2000. */
  readonly requestTimeoutMs?: number;
  /** How often the watched host has to prove that it is in touch with the majority; default 2000. */
  readonly probeIntervalMs?: number;
  /** How often the complete list is read, whatever the watch says; default 300000. */
  readonly relistIntervalMs?: number;
  /** How old a list that etcd no longer confirms may grow before the provider throws; 0: not at all; default 900000. */
  readonly maxStaleMs?: number;
  /** The waits between attempts grow from `minMs` (default 100) to `maxMs` (default 2000), with jitter. */
  readonly retry?: { readonly minMs?: number; readonly maxMs?: number };
  /** Keeps the endpoints registered here listed, also while etcd does not know them: who answers is alive. Default true. */
  readonly includeSelf?: boolean;
}

/** The options, checked and prepared. */
export interface EtcdSettings extends Required<Omit<EtcdDirectoryOptions, 'auth' | 'tls' | 'retry'>> {
  readonly auth: EtcdAuth | undefined;
  readonly tls: { readonly secureContext: SecureContext; readonly servername: string | undefined } | undefined;
  readonly retry: { readonly minMs: number; readonly maxMs: number };
}

const OPTION = 'createEtcdDirectory option';
const HOST = 'http(s)://host:port, without user, password, path or query';

const HOST_SHAPE = /^https?:\/\/[^/?#@]+\/?$/i;

const text: ReadRule<string> = {
  allowed: 'a text of 1 character or more',
  read: (value) => (typeof value === 'string' && value !== '' ? value : undefined),
};

const pem: ReadRule<string | Buffer | undefined> = {
  allowed: 'a PEM text or buffer',
  secret: true,
  fallback: undefined,
  read: (value) => (typeof value === 'string' || Buffer.isBuffer(value) ? value : undefined),
};

const secret: ReadRule<string> = { ...text, secret: true };
const auth = group({ username: text, password: secret });
const tls = group({ ca: pem, cert: pem, key: pem, servername: { ...text, fallback: undefined } });
const retry = group({ minMs: milliseconds(1, 100), maxMs: milliseconds(1, 2000) });

const RULES = {
  hosts: {
    allowed: `an array of one or more ${HOST}`,
    read: (value, name) => (Array.isArray(value) && value.length > 0 ? origins(value, name) : undefined),
  } satisfies ReadRule<readonly string[]>,
  prefix: { ...text, fallback: '/coordinators/' },
  auth: { ...auth, fallback: undefined } satisfies ReadRule<EtcdAuth | undefined>,
  tls: { ...tls, fallback: undefined, read: tlsSettings } satisfies ReadRule<EtcdSettings['tls']>,
  connectTimeoutMs: milliseconds(1, 5000),
  requestTimeoutMs: milliseconds(1, 2000),
  probeIntervalMs: milliseconds(1, 2000),
  relistIntervalMs: milliseconds(1, 300_000),
  maxStaleMs: millisecondsOrInfinity(0, 900_000),
  retry: {
    ...retry,
    allowed: `${retry.allowed}, the first no longer than the second`,
    fallback: { minMs: 100, maxMs: 2000 },
    read: (value, name) => {
      const read = retry.read(value, name);
      return read && read.minMs <= read.maxMs ? read : undefined;
    },
  } satisfies ReadRule<EtcdSettings['retry']>,
  includeSelf: boolean(true),
};

/** @throws TypeError naming the option, its value (its type, where that could be a secret) and what is allowed. */
export function etcdSettings(options: EtcdDirectoryOptions): EtcdSettings {
  const settings = readOptions(OPTION, options, RULES);
  // A user who gives certificates expects an encrypted way; a host without one would be given the password in clear text.
  const plain = settings.hosts.find((host) => host.startsWith('http:'));
  if (settings.tls && plain)
    throw new TypeError(`${OPTION} hosts has ${plain}; allowed with option tls: https:// hosts`);
  return settings;
}

function origins(hosts: readonly unknown[], name: string): readonly string[] {
  const origins = hosts.map((host, index) => {
    const url = typeof host === 'string' && HOST_SHAPE.test(host) && URL.canParse(host) ? new URL(host) : undefined;
    if (url && url.port !== '0') return url.origin;
    // A query may hold a token; `shown` hides user and password.
    const value = shown(typeof host === 'string' ? host.replace(/[?#].*$/s, '...') : host);
    throw new TypeError(`${name}[${String(index)}] is ${value}; allowed: ${HOST}`);
  });
  return Object.freeze([...new Set(origins)]);
}

function tlsSettings(value: unknown, name: string): EtcdSettings['tls'] {
  const given = tls.read(value, name);
  if (given === undefined) return undefined;
  const { ca, cert, key, servername } = given;
  if ((cert === undefined) !== (key === undefined)) {
    throw new TypeError(`${name} has only one of cert and key; allowed: both or neither`);
  }
  try {
    return Object.freeze({ secureContext: createSecureContext({ ca, cert, key }), servername });
  } catch {
    // OpenSSL's own text says nothing that helps, and comes from where the key is read.
    throw new TypeError(`${name} is not usable; allowed: PEM certificates, and a key that fits cert`);
  }
}
