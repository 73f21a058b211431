import { get, requestBytes, type HandMadeCase } from './case.js';

const TARGET = '/_api/endpoint';
const SMUGGLED = get('/_db/other/_api/endpoint');
const CHUNKED = 'Transfer-Encoding: chunked';

/** The headers of a GET, its body, and the answers. */
const BODIES: readonly (readonly [headers: readonly string[], body: string, answers: readonly string[]])[] = [
  [['Content-Length: 2'], '{}', ['200']],
  [['Content-Length: 0'], '', ['200']],
  [['Content-Length: 2'], '{', ['200', '400 node']],
  [['Content-Length: 2'], '{}}', ['200', '400 node']],
  [[], '{}', ['200']],
  [['Content-Length: 1000000000000'], 'x', ['200', '400 node']],
  [['Content-Length: -1'], 'x', ['400 node']],
  [[CHUNKED, 'Content-Length: 5'], '0\r\n\r\n', ['400 node']],
  [[CHUNKED], '0\r\n\r\n', ['200']],
  [[CHUNKED], '2\r\n{}\r\n0\r\n\r\n', ['200']],
  [[CHUNKED], '2;extension=1\r\n{}\r\n0\r\nTrailer: a\r\n\r\n', ['200']],
  [[CHUNKED], 'x\r\n', ['200']],
  [[CHUNKED], '2\r\n{}0\r\n\r\n', ['200', '400 node']],
  [[CHUNKED], '0\r\n', ['200', '400 node']],
  [['Transfer-Encoding: identity'], '', ['200']],
  [['Content-Length: 2', 'Content-Encoding: gzip'], '{}', ['200']],
  [['Content-Length: 2', 'Content-Type: application/json'], '{]', ['200']],
  [['Content-Length: 65536'], 'x'.repeat(65_536), ['200']],
];

/** Several requests on one connection, in one packet. */
const ROWS: readonly (readonly [bytes: string, answers: readonly string[]])[] = [
  [get(TARGET).repeat(2), ['200', '200']],
  [get(TARGET).repeat(100), new Array<string>(100).fill('200')],
  [get(TARGET) + SMUGGLED + get(TARGET), ['200', '400 / 1230', '200']],
  [get(TARGET, 'Connection: close') + SMUGGLED, ['200']],
  [`${get(TARGET)}\r\n\r\n${SMUGGLED}`, ['200', '400 / 1230']],
  // What looks like a request in a body is none; what follows a body is one.
  [get(TARGET, `Content-Length: ${String(SMUGGLED.length)}`) + SMUGGLED, ['200']],
  [get(TARGET, 'Content-Length: 3') + SMUGGLED, ['200', '400 node']],
  [`${get(TARGET, CHUNKED)}0\r\n\r\n${SMUGGLED}`, ['200', '400 / 1230']],
  [`${get('/_db/other/_api/endpoint', 'Content-Length: 4')}POST${get(TARGET)}`, ['400 / 1230', '200']],
  [`${get('/_db/other/_api/endpoint')}${get(TARGET)}`, ['400 / 1230', '200']],
  [requestBytes('HEAD', TARGET) + get(TARGET), ['405 bodiless', '200']],
  [requestBytes('HEAD', TARGET, 'Content-Length: 2') + get(TARGET), ['405 bodiless', '400 node']],
  [requestBytes('CONNECT', 'a:8529') + get(TARGET), []],
];

/** Where a request ends and the next begins. */
export const FRAMING_CASES: readonly HandMadeCase[] = [
  ...BODIES.map(([headers, body, answers]): HandMadeCase => ({ bytes: get(TARGET, ...headers) + body, answers })),
  ...ROWS.map(([bytes, answers]): HandMadeCase => ({ bytes, answers })),
];
