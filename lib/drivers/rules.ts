/**
 * What each driver makes of each kind of answer: one row for a kind, one letter for a driver. A small letter was seen in a run, unless the
 * driver's `evidence` says that it was only read; a capital was read in the source of a driver that was run otherwise; `?` is
 * not known.
 */

/** What the letters of {@link KINDS} mean. What `breaks` keeps an application from all or some of the servers, or misleads it. */
export const OUTCOMES = {
  u: { words: 'uses it', breaks: false },
  h: { words: 'hands it on', breaks: false },
  k: { words: 'keeps its list', breaks: false },
  g: { words: 'follows it', breaks: false },
  d: { words: 'skips it', breaks: true },
  n: { words: 'hands it on, refuses it', breaks: true },
  m: { words: 'misreads it', breaks: true },
  o: { words: 'takes it for a host', breaks: true },
  l: { words: 'reaches its own machine', breaks: true },
  s: { words: 'sticks to it', breaks: true },
  x: { words: 'cannot use it', breaks: true },
  y: { words: 'goes on using it', breaks: true },
  t: { words: 'one request fails', breaks: true },
  a: { words: 'drops it', breaks: false },
  f: { words: 'fails', breaks: true },
  r: { words: 'fails after 6 s', breaks: true },
  p: { words: 'fails, and keeps it', breaks: true },
  e: { words: 'fails for good', breaks: true },
  b: { words: 'fails for good unless another host answers', breaks: true },
  c: { words: 'its process ends', breaks: true },
  w: { words: 'waits', breaks: true },
} as const;

/** A letter of {@link OUTCOMES}. */
export type Outcome = keyof typeof OUTCOMES;

/** Versions of a driver that do the same. */
export interface DriverVersions {
  readonly driver: string;
  /** The first and the last version that this is known of. */
  readonly versions: readonly [first: string, last: string];
  /** The listing that it asks for. */
  readonly listing: 'cluster' | 'server';
  /** Whether it was run, or its source was read. */
  readonly evidence: 'run' | 'read';
  /** The versions that were run, or the file that was read. */
  readonly source: string;
}

const driver = (
  [name, first, last]: readonly [name: string, first: string, last: string],
  evidence: DriverVersions['evidence'],
  source: string,
  listing: DriverVersions['listing'] = 'cluster',
): DriverVersions => ({ driver: name, versions: [first, last], listing, evidence, source });

const RESOLVER = 'ExtendedHostResolver.java';

/** The drivers, in the order of the letters. */
export const DRIVERS: readonly DriverVersions[] = [
  driver(['arangojs', '6.2', '7.8.0'], 'run', '6.2.0, 6.14.1, 7.0.0, 7.8.0'),
  driver(['arangojs', '8.0', '8.8.1'], 'run', '8.0.0, 8.8.1'),
  driver(['arangojs', '9.0', '9.3.0'], 'run', '9.0.0, 9.3.0'),
  driver(['arangojs', '10.1', '10.4.0'], 'run', '10.1.1, 10.3.1, 10.4.0'),
  driver(['java', '5.0.5', '6.6.0'], 'read', `${RESOLVER} of 5.0.8 and 6.6.0`),
  driver(['java', '6.6.1', '6.8.0'], 'run', '6.8.0'),
  driver(['java', '6.8.1', '6.8.2'], 'read', `${RESOLVER} and HostSet.java of 6.8.1`),
  driver(['java', '6.9', '6.25.0'], 'run', '6.25.0'),
  driver(['java', '7.0', '7.1.0'], 'read', `${RESOLVER} of 7.1.0`),
  driver(['java', '7.2', '7.3.0'], 'read', `${RESOLVER} and ResponseUtils.java of 7.2.0 and 7.3.0`),
  driver(['java', '7.4', '7.26.0'], 'run', 'core of 7.26.0, over java.net.http'),
  driver(['kafka-connect', '1.0', '2.0.0'], 'read', 'HostListMonitor.java of 2.0.0'),
  driver(['go', '1.0', '1.6.9'], 'run', '1.6.9'),
  driver(['go', '2.1.6', '3.0'], 'run', '2.3.1, and v3 as of July 2026'),
  driver(['python-arango', '6.0', '6.1.0'], 'run', '6.1.0'),
  driver(['python-arango', '7.0', '8.3.2'], 'run', '7.0.0, 7.9.1, 8.3.2; 8.3.7 is newer'),
  driver(['python-arango-async', '1.0', '1.2.3'], 'run', '1.0.0, 1.2.3; 1.2.7 is newer'),
  driver(['arangorb', '2.0.1', '2.0.1'], 'run', '2.0.1'),
  driver(['arangodb-php', '3.4', '3.8.0'], 'run', '3.4.0, 3.8.0, and the state of January 2023', 'server'),
  driver(['perl-arangodb2', '0.11', '0.11'], 'run', '0.11', 'server'),
];

/** A property of a response, and its effect. */
export interface Kind {
  readonly kind: string;
  /** In words, after "a list with" or "the answer is". */
  readonly words: string;
  /** Where it shows: in the text of an entry, in the whole list, in the response, or only between two responses. */
  readonly of: 'entry' | 'list' | 'answer' | 'answers';
  /** A letter for each of {@link DRIVERS}. */
  readonly outcomes: string;
}

/**
 * Letters: arangojs, java, kafka-connect, go, python-arango and -async, arangorb, arangodb-php, perl-arangodb2. Where the version of
 * Node matters, the letter is what happens on the newest.
 */
const TABLE = `
entry    no-port          mmmm ddddddd f mh hhh h n h  no port
entry    trailing-slash   uuuu ddddddd f uh hhh h u h  a slash at its end
entry    upper-case       uuxx uuuuuuu u xh hhh h n h  TCP://
entry    upper-case-ssl   mmxx uuuuuuu u xh hhh h n h  SSL://
entry    http             uuuu uuuuuuu u uh hhh h u h  http:// or https://
entry    http+tcp         uuxx uuuuuuu u xh hhh h n h  http+tcp://
entry    unix             uuxx ddddddd f xh hhh h u h  a unix socket
entry    ipv6-two-colons  uuuu mmmmmmm f uh hhh h u h  IPv6 with two colons
entry    ipv6-longer      uuuu ddddddd f uh hhh h u h  IPv6 with more colons
entry    ipv6-bare        fppp mmmmmmm f uh hhh h x h  IPv6 without brackets
entry    zone             fppp mmmmmmm f fh hhh h ? h  IPv6 with a zone
entry    wildcard         llll lllllll l lh hhh h l h  0.0.0.0
entry    final-dot        uuuu uuuuuuu u uh hhh h u h  a name with a dot at its end
entry    user-info        mmxx ddddddd f uh hhh h x h  user and password
entry    query            uuuu ddddddd f xh hhh h n h  a query
entry    path             uumu ddddddd f mh hhh h n h  a path
entry    no-scheme        xxpp ddddddd u fh hhh h n h  no scheme
entry    blanks           uuxp ddddddd f fh hhh h n h  blanks around it
entry    no-host          mmpp ddddddd x mh hhh h n h  no host
entry    high-port        xxpp ?x?x??X x xh hhh h x h  a port above 65535
entry    empty-text       fppp ddddddd f xh hhh h n h  an empty text
list     null             ffff fffffee f xh hhh h n h  an endpoint that is null
list     entrypoint       ffff uufffee f xx fff h n h  entrypoint for endpoint
list     internal         uuuu oouuuuu u uh hhh h u h  an attribute internal
list     duplicate        usss uuuuuuu u uh hhh h u h  another endpoint twice
list     mixed-tls        uuuu mmmmmmm m uh hhh h u h  some with TLS, some without
list     empty            kkkk kkkkkkk k fh hhh h h h  no entry at all
list     one              uuuu uuuuuuu u uh hhh h u h  one entry
list     none-left        ???? kkkxx?x ? ?? ??? ? ? ?  no entry that it does not skip
answer   500              ffff fffffee k ff frf f f f  500 or 502
answer   503/503          ffff fffffeB k ff frf f f f  503 with errorNum 503
answer   503/1478         ffff fffffee k ff frf f f f  503 with errorNum 1478
answer   503-leader       gggg fffffee k ff frf f f f  503 that names a leader
answer   401/11           ffff fffffee k kf fff f f f  401 with errorNum 11
answer   403/11           ffff kkkkkkk k kf fff f f f  403 with errorNum 11
answer   403/1230         ffff kkkkkkk k ff fff f f f  403 with errorNum 1230
answer   501/9            ffff fkkkkkk k kf fff f f f  501 with errorNum 9
answer   404              ffff fffffee k ff fff f f f  400, 404 or 405
answer   204              ccff ?f?f??e f kf fff x w x  204
answer   redirect         ccgg ?g?g??e k gg ggg g f g  a redirect
answer   chunked          uuuu ?u?u??u ? uh hhh h w h  chunked
answer   bom              ffuu ?f?f??u ? ff ffh h f x  a byte order mark
answer   deflate          ffuu ?u?u??e ? fh hhh h f x  deflate that was not asked for
answer   gzip             ffuu ?u?u??e ? uh hhh h f x  gzip that was not asked for
answer   text/plain       ccff ?u?u??u ? ff hhh h u h  JSON as text/plain
answer   not-json         ffff ?f?f??e f ff fff f f x  no JSON
answer   no-endpoints     ccff kkkk??e f fx fff h n ?  without endpoints
answers  left             yttt yyyaaaa a ah hhh h h h  a host that has left the list`;

/** The kinds of answers, and a letter for each driver. */
export const KINDS: readonly Kind[] = Array.from(
  TABLE.matchAll(/^(\S+) +(\S+) +((?:\S+ ){8}) *(.+)$/gm),
  ([, of, kind, outcomes, words]) => ({
    of: of as Kind['of'],
    kind: String(kind),
    outcomes: String(outcomes).replaceAll(' ', ''),
    words: String(words),
  }),
);

/** Matches the texts of entries of a kind. */
export const PATTERNS: Readonly<Record<string, RegExp>> = {
  'no-port': /^[a-z]+:\/\/(?:\[[^\]]+\]|[^/:?#@[\]]+)$/,
  'trailing-slash': /^[a-z]+:\/\/[^/]+:\d+\/$/,
  'upper-case': /^TCP:\/\//,
  'upper-case-ssl': /^SSL:\/\//,
  http: /^https?:\/\//,
  'http+tcp': /^http\+tcp:\/\//,
  unix: /^unix:\/\//,
  'ipv6-two-colons': /^[a-z]+:\/\/\[[^\]:%]*:[^\]:%]*:[^\]:%]*\]:\d+$/,
  'ipv6-longer': /^[a-z]+:\/\/\[(?:[^\]:%]*:){3,}[^\]:%]*\]:\d+$/,
  'ipv6-bare': /^[a-z]+:\/\/[0-9a-f]*:[0-9a-f]*:[0-9a-f]*:\d+$/,
  zone: /^[a-z]+:\/\/\[[^\]:%]*:[^\]:%]*:[^\]:%]*%[^\]:]*\]:\d+$/,
  wildcard: /^[a-z]+:\/\/0\.0\.0\.0:\d+$/,
  'final-dot': /^[a-z]+:\/\/[^/:@[\]]+\.:\d+$/,
  'user-info': /^[a-z]+:\/\/[^/]*@/,
  query: /^[a-z]+:\/\/[^/?#]+\?/,
  path: /^(?!unix)[a-z]+:\/\/[^/]+\/[^?#]/,
  'no-scheme': /^\d[\d.]*:\d+$/,
  blanks: /^\s+\S.*\s$/,
  'no-host': /^[a-z]+:\/\/:\d+$/,
  'high-port': /:(?:6553[6-9]|655[4-9]\d|65[6-9]\d\d|6[6-9]\d{3}|[7-9]\d{4}|[1-9]\d{5,})$/,
  'empty-text': /^$/,
};

/** Matches what every driver reads as intended, unless a kind says otherwise. */
export const ORDINARY = /^(?:tcp|ssl|https?):\/\/(?:\[[\da-f:.]+\]|[\w.-]+):\d{1,5}$/i;

/** Host and port of an endpoint, whatever its scheme. */
export function hostAndPort(text: string): string {
  return text.replace(/^[^/]*:\/\/(?:[^/@]*@)?/, '').replace(/[/?#].*$/, '');
}

const onThisMachine = (text: string): string => `127.0.0.1:${hostAndPort(text).replace(/^.*:/, '')}`;

/** What misread entries are mistaken for. */
export const TAKEN_FOR: Readonly<Record<string, (text: string) => string>> = {
  'no-port': (text) => `${hostAndPort(text)}:${/^(?:ssl|https):/.test(text) ? '443' : '80'}`,
  'upper-case-ssl': (text) => `http://${hostAndPort(text)}`,
  'ipv6-two-colons': onThisMachine,
  'ipv6-bare': onThisMachine,
  zone: onThisMachine,
  'no-host': onThisMachine,
  path: hostAndPort,
  'user-info': () => 'a login of its own',
  'mixed-tls': () => 'TLS for all, or for none',
};
