import { get, type HandMadeCase } from './case.js';

const TARGET = '/_api/endpoint';

/** One header line each, and what becomes of the request. */
const HEADERS: readonly (readonly [line: string, answer: string])[] = [
  ['X-Original-URL: /_db/other/_api/endpoint', '200'],
  ['X-Rewrite-URL: /_db/other/_api/endpoint', '200'],
  ['X-Forwarded-Prefix: /_db/other', '200'],
  ['X-Forwarded-Host: evil.example', '200'],
  ['X-HTTP-Method: DELETE', '200'],
  ['Accept: text/html', '200'],
  ['Accept: application/x-velocypack', '200'],
  ['Accept-Encoding: gzip, br', '200'],
  ['If-None-Match: *', '200'],
  ['If-Modified-Since: Thu, 01 Jan 2099 00:00:00 GMT', '200'],
  ['Range: bytes=0-1', '200'],
  ['Authorization: Basic AAAA', '200'],
  ['Cookie: a=\xff', '200'],
  ['X-Latin: \x80\xff', '200'],
  ['__proto__: x', '200'],
  ['constructor: x', '200'],
  ['Connection: close, keep-alive', '200'],
  ['Connection: \xff', '200'],
  ['Upgrade: h2c', '200'],
  ['X : a', '400 node'],
  [`X-Long: ${'a'.repeat(65_536)}`, '431 node'],
];

/** The same in other protocols, and in none. */
const PROTOCOLS: readonly (readonly [bytes: string, answers: readonly string[]])[] = [
  [`GET ${TARGET} HTTP/1.0\r\n\r\n`, ['200']],
  [`GET ${TARGET} HTTP/1.0\r\nConnection: keep-alive\r\n\r\n`, ['200']],
  [`GET ${TARGET}\r\n\r\n`, ['200']],
  [`GET ${TARGET} HTTP/0.9\r\n\r\n`, ['200']],
  [`GET ${TARGET} HTTP/2.0\r\nHost: a\r\n\r\n`, ['200']],
  [get(TARGET, 'Connection: Upgrade, HTTP2-Settings', 'Upgrade: h2c', 'HTTP2-Settings: AAMAAABk'), ['200']],
  [get(TARGET, 'Connection: Upgrade', 'Upgrade: websocket', 'Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA=='), ['200']],
  [get('/_db/other/_api/endpoint', 'Connection: Upgrade', 'Upgrade: websocket'), ['400 / 1230']],
  [get(TARGET, 'Expect: 100-continue'), ['100', '200']],
  [get('/_db/other/_api/endpoint', 'Expect: 100-continue', 'Content-Length: 0'), ['100', '400 / 1230']],
  ['', []],
  [`\r\n\r\n${get(TARGET)}`, ['200']],
];

/** What a request says about itself, and in which protocol. */
export const HEADER_CASES: readonly HandMadeCase[] = [
  ...HEADERS.map(([line, answer]): HandMadeCase => ({ bytes: get(TARGET, line), answers: [answer] })),
  ...PROTOCOLS.map(([bytes, answers]): HandMadeCase => ({ bytes, answers })),
];
