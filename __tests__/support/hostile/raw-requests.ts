import * as fc from 'fast-check';
import { METHODS } from 'node:http';
import { request } from '../router/raw.js';

/** Mostly what is in order, and now and then what is not: a request that is all wrong gets no further than the parser of Node. */
function mostly(ordinary: readonly string[], odd: fc.Arbitrary<string>, weight = 5): fc.Arbitrary<string> {
  return fc.oneof({ weight, arbitrary: fc.constantFrom(...ordinary) }, { weight: 1, arbitrary: odd });
}

const encodedBytes = fc
  .uint8Array({ maxLength: 8 })
  .map((bytes) => [...bytes].map((byte) => `%${byte.toString(16).padStart(2, '0')}`).join(''));
const encodedText = fc.string({ unit: 'grapheme', maxLength: 12 }).map((text) => encodeURIComponent(text));

const method = mostly(['GET'], fc.constantFrom(...METHODS, 'get', 'G\0T', 'GET,POST'));
const mount = mostly(
  [
    '',
    '',
    '',
    '/v1',
    '/tenant/_db/_system',
    '/tenant/_db/other',
    'http://a',
    'http://a/v1',
    'http://a/tenant/_db/other',
  ],
  fc.constantFrom(
    '/',
    '//',
    '/.',
    '/V1/',
    '/x/..',
    '/%2e%2e',
    '/%2f',
    '*',
    '?',
    '#',
    '/tenant/_db/%zz',
    '/TENANT/_DB/other',
  ),
);
/** Texts near `_system`, and any text at all, as they may stand in a request target. */
const databaseName = fc.oneof(
  fc.constantFrom(
    '_system',
    '_SYSTEM',
    '%5Fsystem',
    '%5f%73ystem',
    '%255Fsystem',
    '_system%20',
    '_system%00',
    '_system;x',
  ),
  fc.constantFrom(
    '%C1%9Fsystem',
    '_system.',
    '.',
    '..',
    '%2e%2e',
    '%2F',
    '_system%2F..%2Fother',
    '_db',
    '_api',
    '%zz',
    '%',
  ),
  encodedText,
  encodedBytes,
  fc.stringMatching(/^[!-"$->@-~]{1,12}$/),
);
const slashes = mostly(['/'], fc.constant('//'));
const database = fc
  .tuple(slashes, mostly(['_db'], fc.constantFrom('_DB', '%5Fdb', '_Db')), slashes, databaseName)
  .map((parts) => parts.join(''));
const route = mostly(
  ['/_api/endpoint', '/_api/cluster/endpoints'],
  fc.constantFrom('/_api//endpoint', '/_api%2fendpoint', '/_API/endpoint', '/%5Fapi/endpoint', '//_api/endpoint'),
);
const suffix = mostly(
  ['', '', '/', '?', '?a=%00'],
  fc.constantFrom('#', '/.', '//', '%00', ';a', '?/_db/_system/_api/endpoint', '\t'),
);

/** Where a request goes, as a hostile client may write it. */
export const target = fc
  .tuple(mount, fc.array(database, { maxLength: 2 }), route, suffix)
  .map(([mount, databases, route, suffix]) => mount + databases.join('') + route + suffix);

const version = mostly(['HTTP/1.1'], fc.constantFrom('HTTP/1.0', 'HTTP/0.9', 'HTTP/2.0', 'HTTP/1.1 ', ''), 12);
const header = mostly(
  ['Accept: */*', 'Connection: close', 'Connection: upgrade\r\nUpgrade: h2c', 'Expect: 100-continue', '__proto__: x'],
  fc.oneof(
    fc.constantFrom('Host:', 'X: \0', 'X : a', ' folded: a', ': a', `X: ${'a'.repeat(65_536)}`),
    fc.string({ unit: 'binary-ascii', maxLength: 20 }),
  ),
  10,
);
/** The headers that frame a body, and the body: sometimes they fit. */
const framing = mostly(
  ['', '', '', 'Content-Length: 0|', 'Content-Length: 2|{}', 'Transfer-Encoding: chunked|2\r\n{}\r\n0\r\n\r\n'],
  fc
    .tuple(
      fc.constantFrom('Content-Length: 3', 'Content-Length: 3, 3', 'Content-Length: -1', 'Transfer-Encoding: chunked'),
      fc.constantFrom('', '{}', '0\r\n\r\n', 'ffff\r\n', request('GET', '/_db/other/_api/endpoint'), '\0'),
    )
    .map(([length, body]) => `${length}|${body}`),
);
const lineEnd = mostly(['\r\n'], fc.constantFrom('\n', '\r', '\r\r\n'), 30);

const oneRequest = fc
  .tuple(...[target, method, version, framing, lineEnd], fc.array(header, { maxLength: 3 }))
  .map(([target, method, version, framing, lineEnd, headers]) => {
    const [length = '', body = ''] = framing.split('|');
    const lines = [`${method} ${target} ${version}`, 'Host: a', ...headers, length].filter((line) => line !== '');
    return [...lines, '', ''].join(lineEnd) + body;
  });

/** A place in some bytes, whatever their length. */
const place = fc.double({ min: 0, max: 1, noNaN: true });
/** One byte put in, put in the place of another, or taken out. */
const damage = fc.record({
  at: place,
  taken: fc.nat({ max: 1 }),
  put: fc.oneof(fc.constantFrom('', '\r', '\n', '\0', ' ', '/', '%', ':', '\xff'), fc.string({ maxLength: 1 })),
});
const damages = fc.oneof(
  { weight: 3, arbitrary: fc.constant([]) },
  { weight: 1, arbitrary: fc.array(damage, { minLength: 1, maxLength: 3 }) },
);

/** Up to four requests on one connection, damaged now and then, as the packets into which they are cut. */
const packets = fc
  .tuple(fc.array(oneRequest, { minLength: 1, maxLength: 4 }), damages, fc.array(place, { maxLength: 4 }))
  .map(([requests, damages, cuts]) => {
    let bytes = requests.join('');
    for (const { at, taken, put } of damages) {
      const index = Math.floor(at * bytes.length);
      bytes = bytes.slice(0, index) + put + bytes.slice(index + taken);
    }
    const ends = cuts.map((cut) => Math.floor(cut * bytes.length)).sort((one, other) => one - other);
    return [0, ...ends].map((start, index) => bytes.slice(start, ends[index])).filter((packet) => packet !== '');
  });

/** So many connections, each as its packets, always the same ones for a seed. */
export function rawRequests(count: number, seed: number): string[][] {
  return fc.sample(packets, { numRuns: count, seed });
}
