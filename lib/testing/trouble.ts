import { isPlainObject, readOptions, type OptionRule, type OptionRules, type Values } from '../options/read-options.js';
import { integer, milliseconds, oneOf, optional, required, TEXT } from '../options/rules.js';

/** Whom a trouble meets, and how often. Every member may be left out. */
export interface TroubleScope {
  /**
   * The index of the one coordinator that has the trouble, from 0.
   * @defaultValue all coordinators
   */
  readonly coordinator?: number;
  /**
   * How many requests (connections, for `tls`) meet it; afterwards it has ended.
   * @defaultValue no limit: until `end()` or `reset()`
   */
  readonly times?: number;
  /**
   * The share of requests that meet it, above 0 and up to 1.
   * @defaultValue 1
   */
  readonly probability?: number;
  /**
   * Where the choice of requests begins: the same seed and the same requests meet the same trouble.
   * @defaultValue 1
   */
  readonly seed?: number;
  /**
   * `listing`: requests for one of the two listings only. `all`: every request, for routes of your own too; refused for `shape` and
   * `entries`, which change a listing.
   * @defaultValue `'listing'`
   */
  readonly routes?: 'listing' | 'all';
}

/** An error, as the server itself answers it. */
export interface StatusTrouble {
  readonly kind: 'status';
  /** 200 to 599. */
  readonly status: number;
  /** @defaultValue the status */
  readonly errorNum?: number;
  /** @defaultValue `'trouble'` */
  readonly errorMessage?: string;
}

/** The true answer, late. */
export interface DelayTrouble {
  readonly kind: 'delay';
  readonly milliseconds: number;
}

/** No answer at all, on a connection that stays open. */
export interface SilenceTrouble {
  readonly kind: 'silence';
}

/** The connection is reset (TCP RST): before the head of the answer, in the middle of it, or behind it with half of the body. */
export interface ResetTrouble {
  readonly kind: 'reset';
  /** @defaultValue `'before-head'` */
  readonly at?: 'before-head' | 'in-head' | 'after-head';
}

/** Half of the body, and then an orderly end of the connection. */
export interface TruncatedBodyTrouble {
  readonly kind: 'truncated-body';
}

/** A `Content-Length` that is not the body's, on a connection that stays open. */
export interface WrongContentLengthTrouble {
  readonly kind: 'wrong-content-length';
  /**
   * What is added to the true length, in bytes. With less than 0 the rest of the body runs into the next answer; with more than 0
   * the client waits for bytes that never come.
   * @defaultValue -10
   */
  readonly difference?: number;
}

/** A 200 that says `application/json`, and is not. */
export interface NotJsonTrouble {
  readonly kind: 'not-json';
}

/** A 200 whose JSON has another shape than a listing. */
export interface ShapeTrouble {
  readonly kind: 'shape';
  /**
   * - `no-endpoints`: an object without `endpoints`
   * - `null-endpoints`: `endpoints` is `null`
   * - `null`: the whole body is `null`
   * - `entry-without-attribute`: one more entry, `{}`
   * - `two-attributes`: each entry has a `name` beside its `endpoint`
   * - `entrypoint`: each entry has `entrypoint` instead of `endpoint`
   * - `internal`: each entry has `internal` beside its `endpoint`, with an address where nobody listens
   */
  readonly shape: (typeof SHAPES)[number];
}

/** A 200 in the right shape whose entries are of no use. */
export interface EntriesTrouble {
  readonly kind: 'entries';
  /**
   * - `private`: addresses that only the cluster's own network reaches, in place of the true ones
   * - `malformed`: entries that are no endpoints, behind the true ones
   * - `duplicate`: every entry twice
   * - `dead`: one more entry, a loopback port where nobody listens
   * - `thousands`: `count` more entries of that kind
   */
  readonly entries: (typeof ENTRIES)[number];
  /**
   * How many entries `thousands` adds, 1 to 100000.
   * @defaultValue 5000
   */
  readonly count?: number;
}

/** A redirect without a body. */
export interface RedirectTrouble {
  readonly kind: 'redirect';
  /** @defaultValue 302 */
  readonly status?: 301 | 302 | 303 | 307 | 308;
  /** @defaultValue the same path at the next coordinator */
  readonly location?: string;
}

/** The HTML page of a proxy. */
export interface ProxyPageTrouble {
  readonly kind: 'proxy-page';
  /** @defaultValue 502 */
  readonly status?: number;
}

/** The true answer with `Content-Encoding: gzip`, whether the client accepts that or not. */
export interface GzipTrouble {
  readonly kind: 'gzip';
}

/** The true answer, its body a few bytes at a time. */
export interface SlowDripTrouble {
  readonly kind: 'slow-drip';
  /**
   * How many bytes are sent at a time.
   * @defaultValue 1
   */
  readonly bytes?: number;
  /**
   * The pause between them in ms.
   * @defaultValue 20
   */
  readonly intervalMs?: number;
}

/** The true answer on a connection that claims to be kept alive, and is not. */
export interface KeepAliveTrouble {
  readonly kind: 'keep-alive';
  /**
   * `after-answer`: the connection ends right behind the answer. `while-sending`: it ends as soon as the client sends the next
   * request on it.
   * @defaultValue `'after-answer'`
   */
  readonly closed?: 'after-answer' | 'while-sending';
}

/**
 * A handshake with a certificate that no client should accept. Only for a cluster with `ssl`. Setting it ends the open connections,
 * each behind its answer, so that the next request begins with a handshake.
 */
export interface TlsTrouble {
  readonly kind: 'tls';
  readonly certificate: (typeof CERTIFICATES)[number];
}

/** What goes wrong, for whom and how often. Plain data: the same object in JSON is what the command takes. */
export type Trouble = TroubleScope &
  (
    | StatusTrouble
    | DelayTrouble
    | SilenceTrouble
    | ResetTrouble
    | TruncatedBodyTrouble
    | WrongContentLengthTrouble
    | NotJsonTrouble
    | ShapeTrouble
    | EntriesTrouble
    | RedirectTrouble
    | ProxyPageTrouble
    | GzipTrouble
    | SlowDripTrouble
    | KeepAliveTrouble
    | TlsTrouble
  );

/** The names of the troubles. */
export type TroubleKind = Trouble['kind'];

const SHAPES = [
  'no-endpoints',
  'null-endpoints',
  'null',
  'entry-without-attribute',
  'two-attributes',
  'entrypoint',
  'internal',
] as const;
const ENTRIES = ['private', 'malformed', 'duplicate', 'dead', 'thousands'] as const;
/** What can be wrong with a certificate. */
export const CERTIFICATES = ['expired', 'wrong-name', 'self-signed'] as const;

const MAX = Number.MAX_SAFE_INTEGER;

const LOCATION: OptionRule<string> = {
  allowed: 'a text that can be a header',
  read: (value) => (typeof value === 'string' && /^[\t -~\u0080-\u00ff]+$/.test(value) ? value : undefined),
};

const KINDS = {
  status: {
    status: required(integer(200, 599, 200)),
    errorNum: optional(integer(0, MAX, 0)),
    errorMessage: { ...TEXT, fallback: 'trouble' },
  },
  delay: { milliseconds: required(milliseconds(0, 0)) },
  silence: {},
  reset: { at: oneOf(['before-head', 'in-head', 'after-head'], 'before-head') },
  'truncated-body': {},
  'wrong-content-length': { difference: integer(-1000, 1000, -10) },
  'not-json': {},
  shape: { shape: required(oneOf(SHAPES, 'null')) },
  entries: { entries: required(oneOf(ENTRIES, 'dead')), count: integer(1, 100_000, 5000) },
  redirect: { status: oneOf([301, 302, 303, 307, 308], 302), location: optional(LOCATION) },
  'proxy-page': { status: integer(200, 599, 502) },
  gzip: {},
  'slow-drip': { bytes: integer(1, MAX, 1), intervalMs: milliseconds(0, 20) },
  'keep-alive': { closed: oneOf(['after-answer', 'while-sending'], 'after-answer') },
  tls: { certificate: required(oneOf(CERTIFICATES, 'expired')) },
} as const satisfies Readonly<Record<TroubleKind, OptionRules>>;

const PROBABILITY: OptionRule<number> = {
  allowed: 'a number above 0, up to 1',
  fallback: 1,
  read: (value) => (typeof value === 'number' && value > 0 && value <= 1 ? value : undefined),
};

const scope = (coordinators: number) => ({
  coordinator: optional(integer(0, coordinators - 1, 0)),
  times: { ...integer(1, MAX, 1), fallback: Infinity },
  probability: PROBABILITY,
  seed: integer(0, 0xffff_ffff, 1),
  routes: oneOf(['listing', 'all'], 'listing'),
});

type Scope = Values<ReturnType<typeof scope>>;

/** A trouble as it was asked for, checked, with its defaults. */
export type TroubleSettings = {
  readonly [Kind in TroubleKind]: { readonly kind: Kind } & Values<(typeof KINDS)[Kind]> & Scope;
}[TroubleKind];

const KIND = required(oneOf(Object.keys(KINDS) as TroubleKind[], 'status'));

/** What a TLS handshake can meet. */
export type HandshakeTrouble = Extract<TroubleSettings, { kind: 'tls' }>;

/** What a request can meet. */
export type RequestTrouble = Exclude<TroubleSettings, { kind: 'tls' }>;

/** Kinds that change a listing, and mean nothing on another route. */
const OF_LISTINGS: ReadonlySet<string> = new Set<TroubleKind>(['shape', 'entries']);

/** @throws `TypeError` that names the member, the value and what is allowed. */
export function troubleSettings(trouble: Trouble, cluster: { coordinators: number; ssl: boolean }): TroubleSettings {
  const { kind } = readOptions('trouble', kindAlone(trouble), { kind: KIND });
  const rules = { kind: KIND, ...KINDS[kind], ...scope(cluster.coordinators) };
  const settings = readOptions('trouble', trouble, rules) as TroubleSettings;
  if (settings.routes === 'all' && OF_LISTINGS.has(settings.kind)) {
    throw new TypeError(`trouble: option routes must be 'listing' for the kind ${settings.kind}, got "all"`);
  }
  if (settings.kind === 'tls' && !cluster.ssl) {
    throw new TypeError('trouble: option kind must be another one than tls in a cluster without ssl, got "tls"');
  }
  return settings;
}

/** The kind decides which other members there may be, so it is read before them. */
function kindAlone(trouble: unknown): unknown {
  if (!isPlainObject(trouble)) return trouble;
  return Object.fromEntries(Object.entries(trouble).filter(([name]) => name === 'kind'));
}
