import { growthOf } from '../support/hostile/remains.js';
import { namesOfAnswers } from '../support/hostile/raw/known-answers.js';
import { faultsOf } from '../support/hostile/raw/verdict.js';

const LISTING =
  'HTTP/1.1 200 OK\r\nContent-Type: application/json; charset=utf-8\r\nX-Content-Type-Options: nosniff\r\n' +
  'Content-Length: 75\r\nCache-Control: no-store\r\nDate: Thu, 29 Feb 2024 00:00:00 GMT\r\nConnection: close\r\n\r\n' +
  '{"error":false,"code":200,"endpoints":[{"endpoint":"tcp://10.0.0.1:8529"}]}';

const faults = (sent: string, received: string, isClosed = true): string[] =>
  faultsOf(sent, { bytes: Buffer.from(received, 'latin1'), isClosed });

describe('The judge of the raw answers', () => {
  it.each([
    'GET /_api/cluster/endpoints HTTP/1.1\r\n',
    'GET /_db/%5Fsystem/_api/cluster/endpoints/?a HTTP/1.0\r\n',
    'GET http://a/v1/_api/cluster/endpoints HTTP/1.1\r\n',
    'GET /tenant/_db/_system/_db/_system/_api/cluster/endpoints HTTP/1.1\r\n',
  ])('accepts a listing for %j', (sent) => {
    expect(faults(sent, LISTING)).toEqual([]);
  });

  it.each([
    'GET /_db/other/_api/cluster/endpoints HTTP/1.1\r\n',
    'GET /_db/%255Fsystem/_api/cluster/endpoints HTTP/1.1\r\n',
    'GET /tenant/_db/other/_db/_system/_api/cluster/endpoints HTTP/1.1\r\n',
    'POST /_api/cluster/endpoints HTTP/1.1\r\n',
    'GET /x/_api/cluster/endpoints HTTP/1.1\r\n',
    '',
  ])('does not accept one for %j', (sent) => {
    expect(faults(sent, LISTING)).toEqual(['a listing that nobody may ask for']);
  });

  it('does not accept two listings for one request', () => {
    expect(faults('GET /_api/cluster/endpoints HTTP/1.1\r\n', LISTING + LISTING)).toEqual([
      'a listing that nobody may ask for',
    ]);
  });

  it('does not accept a connection that is held, unknown bytes, or an answer without its body', () => {
    expect(faults('', '', false)).toEqual(['the connection was held for a minute']);
    expect(faults('', 'Error: x\n    at y')).toEqual(['unknown: Error: x\n    at y']);
    expect(faults('', 'HTTP/1.1 404 Not Found\r\nContent-Length: 9\r\n\r\n')).toEqual(['an answer without its body']);
  });

  it('knows the answers apart, one behind the other', () => {
    const bytes = `HTTP/1.1 100 Continue\r\n\r\n${LISTING}HTTP/1.1 400 Bad Request\r\nConnection: close\r\n\r\n`;

    expect(namesOfAnswers(Buffer.from(bytes))).toEqual(['100', '200', '400 node']);
  });

  it('accepts a heap that has grown by 10 %, and no more', () => {
    expect(growthOf(1_000, 1_100)).toEqual([]);
    expect(growthOf(1_000, 1_101)).toEqual(['the heap grew from 1000 to 1101 bytes']);
  });
});
