import { isPlainObject, readOptions, type OptionRule, type OptionRules, type Values } from '../options/read-options.js';
import { integer, milliseconds, oneOf, optional, required, TEXT } from '../options/rules.js';
import { WORD } from './options.js';
import { CERTIFICATES, ENTRIES, SHAPES, type Trouble, type TroubleKind } from './trouble.js';

const MAX = Number.MAX_SAFE_INTEGER;

const bytes = (min: number, fallback: number): OptionRule<number> => {
  const max = min > 0 ? MAX : -min;
  return { ...integer(min, max, fallback), allowed: `bytes, an integer from ${String(min)} to ${String(max)}` };
};
const LOCATION: OptionRule<string> = {
  allowed: 'a text that can be a header',
  read: (value) => (typeof value === 'string' && /^[\t -~\u0080-\u00ff]+$/.test(value) ? value : undefined),
};
const HEADERS: OptionRule<Readonly<Record<string, string>>> = {
  allowed: 'an object of texts that can be headers',
  fallback: { 'Content-Type': 'application/json; charset=utf-8' },
  read: (value) =>
    isPlainObject(value) &&
    Object.entries(value).every(([name, text]) => /^[\w!#$%&'*+.^`|~-]+$/.test(name) && LOCATION.read(text, name))
      ? { ...value }
      : undefined,
};
const PROBABILITY: OptionRule<number> = {
  allowed: 'a number above 0, up to 1',
  fallback: 1,
  read: (value) => (typeof value === 'number' && value > 0 && value <= 1 ? value : undefined),
};

/** The members of each kind of trouble: what checks them, and what docs/testing.md says of them. */
export const TROUBLE_RULES = {
  status: {
    status: required(integer(200, 599, 200)),
    errorNum: optional(integer(0, MAX, 0)),
    errorMessage: { ...TEXT, fallback: 'trouble' },
  },
  answer: { status: integer(200, 599, 200), headers: HEADERS, body: { ...WORD, fallback: '' } },
  delay: { milliseconds: required(milliseconds(0, 0)) },
  silence: {},
  reset: { at: oneOf(['before-head', 'in-head', 'after-head'], 'before-head') },
  'truncated-body': {},
  'wrong-content-length': { difference: bytes(-1000, -10) },
  'not-json': {},
  shape: { shape: required(oneOf(SHAPES, 'null')) },
  entries: { entries: required(oneOf(ENTRIES, 'dead')), count: integer(1, 100_000, 5000) },
  redirect: { status: oneOf([301, 302, 303, 307, 308], 302), location: optional(LOCATION) },
  'proxy-page': { status: integer(200, 599, 502) },
  gzip: { coding: oneOf(['gzip', 'deflate'], 'gzip') },
  'slow-drip': { bytes: bytes(1, 1), intervalMs: milliseconds(0, 20) },
  'keep-alive': { closed: oneOf(['after-answer', 'while-sending'], 'after-answer') },
  tls: { certificate: required(oneOf(CERTIFICATES, 'expired')) },
} as const satisfies Readonly<Record<TroubleKind, OptionRules>>;

/** The members that every trouble may have. */
export const scopeRules = (coordinators: number) => ({
  coordinator: optional(integer(0, coordinators - 1, 0)),
  times: { ...integer(1, MAX, 1), fallback: Infinity },
  probability: PROBABILITY,
  seed: integer(0, 0xffff_ffff, 1),
  routes: oneOf(['listing', 'all'], 'listing'),
});

type Scope = Values<ReturnType<typeof scopeRules>>;

/** A trouble as it was asked for, checked, with its defaults. */
export type TroubleSettings = {
  readonly [Kind in TroubleKind]: { readonly kind: Kind } & Values<(typeof TROUBLE_RULES)[Kind]> & Scope;
}[TroubleKind];

const KIND = required(oneOf(Object.keys(TROUBLE_RULES) as TroubleKind[], 'status'));

/** What a TLS handshake can meet. */
export type HandshakeTrouble = Extract<TroubleSettings, { kind: 'tls' }>;

/** What a request can meet. */
export type RequestTrouble = Exclude<TroubleSettings, { kind: 'tls' }>;

/** Kinds that change a listing, and mean nothing on another route. */
const OF_LISTINGS: ReadonlySet<string> = new Set<TroubleKind>(['shape', 'entries']);

/** @throws `TypeError` that names the member, the value and what is allowed. */
export function troubleSettings(trouble: Trouble, cluster: { coordinators: number; ssl: boolean }): TroubleSettings {
  const { kind } = readOptions('trouble', kindAlone(trouble), { kind: KIND });
  const rules = { kind: KIND, ...TROUBLE_RULES[kind], ...scopeRules(cluster.coordinators) };
  const settings = readOptions('trouble', trouble, rules) as TroubleSettings;
  if (settings.routes === 'all' && OF_LISTINGS.has(settings.kind)) {
    throw new TypeError(`trouble: option routes must be 'listing' for the kind ${settings.kind}, got "all"`);
  }
  if (settings.kind === 'tls' && !cluster.ssl) {
    throw new TypeError('trouble: the kind tls needs a cluster started with ssl');
  }
  return settings;
}

/** The kind decides which other members there may be, so it is read before them. */
function kindAlone(trouble: unknown): unknown {
  if (!isPlainObject(trouble)) return trouble;
  return Object.fromEntries(Object.entries(trouble).filter(([name]) => name === 'kind'));
}
