export const SHAPES = [
  'no-endpoints',
  'null-endpoints',
  'null',
  'entry-without-attribute',
  'two-attributes',
  'entrypoint',
  'internal',
] as const;
export const ENTRIES = ['private', 'malformed', 'duplicate', 'dead', 'thousands'] as const;
/** What can be wrong with a certificate. */
export const CERTIFICATES = ['expired', 'wrong-name', 'self-signed'] as const;

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

/** An answer of your own, as it stands here. */
export interface AnswerTrouble {
  readonly kind: 'answer';
  /**
   * 200 to 599.
   * @defaultValue 200
   */
  readonly status?: number;
  /**
   * Its headers. `Content-Length` is that of the body, unless you set it or `Transfer-Encoding: chunked`.
   * @defaultValue JSON as the content type
   */
  readonly headers?: Readonly<Record<string, string>>;
  /** @defaultValue `''` */
  readonly body?: string;
}

/** The correct response, late. */
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
   * - `internal`: each entry has `internal` beside its `endpoint`, with an address where nothing listens
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
   * - `dead`: one more entry, a loopback port where nothing listens
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

/** The correct response, compressed, whether the client accepts that or not. */
export interface GzipTrouble {
  readonly kind: 'gzip';
  /** @defaultValue `'gzip'` */
  readonly coding?: 'gzip' | 'deflate';
}

/** The correct response, its body a few bytes at a time. */
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

/** The correct response on a connection announced as keep-alive, then closed. */
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
    | AnswerTrouble
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
