import * as fc from 'fast-check';
import { get } from './case.js';
import { cut, damaged, damages, fraction } from './damage.js';

/** Mostly what is in order, and now and then what is not: a request that is all wrong gets no further than the parser of Node. */
function mostly(ordinary: readonly string[], odd: fc.Arbitrary<string>, weight = 5): fc.Arbitrary<string> {
  return fc.oneof({ weight, arbitrary: fc.constantFrom(...ordinary) }, { weight: 1, arbitrary: odd });
}

const encodedBytes = fc
  .array(fc.integer({ min: 0, max: 255 }), { maxLength: 8 })
  .map((bytes) => bytes.map((byte) => `%${byte.toString(16).padStart(2, '0')}`).join(''));
const encodedText = fc.string({ unit: 'grapheme', maxLength: 12 }).map((text) => encodeURIComponent(text));

const method = mostly(
  ['GET'],
  fc.constantFrom('HEAD', 'POST', 'OPTIONS', 'TRACE', 'PROPFIND', 'CONNECT', 'get', 'G\0T'),
);
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
    '/tenant/_db/other/',
  ),
);
const databaseName = fc.oneof(
  fc.constantFrom(
    '_system',
    '%5Fsystem',
    '_system%00',
    '_system%2f..',
    '%2e%2e',
    '%255Fsystem',
    '%c1%9fsystem',
    '_SYSTEM',
  ),
  encodedText,
  encodedBytes,
);
const database = fc.oneof(
  { weight: 2, arbitrary: fc.constant('') },
  { weight: 3, arbitrary: databaseName.map((name) => `/_db/${name}`) },
  { weight: 1, arbitrary: fc.constantFrom('/_db', '/_db/', '/_db//', '/_DB/other', '/%5fdb/other', '/_db/other/..') },
);
const route = mostly(
  ['/_api/endpoint', '/_api/cluster/endpoints'],
  fc.constantFrom('/_api//endpoint', '/_api%2fendpoint'),
);
const suffix = mostly(
  ['', '', '/', '?', '?a=%00'],
  fc.constantFrom('#', '/.', '%00', ';a', '?/_db/_system/_api/endpoint', '\t'),
);
const version = mostly(['HTTP/1.1'], fc.constantFrom('HTTP/1.0', 'HTTP/0.9', 'HTTP/2.0', 'HTTP/1.1 ', ''), 12);
const header = mostly(
  [
    'Accept: */*',
    'Connection: close',
    'Connection: upgrade\r\nUpgrade: h2c',
    'Expect: 100-continue',
    'X-HTTP-Method: POST',
  ],
  fc.oneof(fc.constantFrom('Host:', 'X: \0', ' folded: a', ': a'), fc.string({ unit: 'binary-ascii', maxLength: 20 })),
  10,
);
/** The headers that frame a body, and the body: sometimes they fit. */
const framing = mostly(
  ['', '', '', 'Content-Length: 0|', 'Content-Length: 2|{}', 'Transfer-Encoding: chunked|2\r\n{}\r\n0\r\n\r\n'],
  fc
    .tuple(
      fc.constantFrom('Content-Length: 3', 'Content-Length: 3, 3', 'Content-Length: -1', 'Transfer-Encoding: chunked'),
      fc.constantFrom('', '{}', '0\r\n\r\n', 'ffff\r\n', get('/_db/other/_api/endpoint'), '\0'),
    )
    .map(([length, body]) => `${length}|${body}`),
);
const lineEnd = mostly(['\r\n'], fc.constantFrom('\n', '\r', '\r\r\n'), 30);

const request = fc
  .record({
    method,
    mount,
    database,
    route,
    suffix,
    version,
    headers: fc.array(header, { maxLength: 3 }),
    framing,
    lineEnd,
  })
  .map(({ method, mount, database, route, suffix, version, headers, framing, lineEnd }) => {
    const target = mount + database + route + suffix;
    const [length, body = ''] = framing.split('|');
    const lines = [`${method} ${target} ${version}`, 'Host: a', ...headers, length].filter((line) => line !== '');
    return [...lines, '', ''].join(lineEnd) + body;
  });

const packets = fc
  .record({
    requests: fc.array(request, { minLength: 1, maxLength: 4 }),
    damages,
    cuts: fc.array(fraction, { maxLength: 4 }),
  })
  .map(({ requests, damages, cuts }) => cut(damages.reduce(damaged, requests.join('')), cuts));

/** So many requests, each as its packets, always the same ones for a seed. */
export function generatedRequests(count: number, seed: number): string[][] {
  return fc.sample(packets, { numRuns: count, seed });
}
