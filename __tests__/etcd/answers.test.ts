import { answerOf, int64, resultOf } from '../../lib/etcd/answers.js';
import { failureAt, foreignAnswer, refusal } from '../../lib/etcd/gateway-error.js';

const asItIs = (text: string): string => text;

describe('an answer with status 200', () => {
  it.each(['7', 'null', '"x"', 'not JSON'])('%s is none of etcd', (text) => {
    expect(() => answerOf(text)).toThrow(`not an answer of etcd: 200 ${JSON.stringify(text)}`);
  });
});

describe('a message of a stream', () => {
  it.each([{ result: null }, { result: 7 }])('%j has an unknown shape', (message) => {
    expect(() => resultOf(message)).toThrow('an answer of unknown shape, at "result"');
  });
});

describe('a 64-bit number', () => {
  it.each(['x1', '1x', '', '-1', '12345678901234567890'])('%j is none', (value) => {
    expect(() => int64({ revision: value }, 'revision')).toThrow('an answer of unknown shape, at "revision"');
  });

  it('may be left out, which means 0', () => {
    expect(int64({}, 'revision')).toBe(0n);
  });
});

describe('an error of etcd', () => {
  it('has its code under either name', () => {
    expect(refusal({ code: 7, message: 'no' })).toMatchObject({ code: 7, definite: true });
    expect(refusal({ grpc_code: 7, message: 'no' })).toMatchObject({ code: 7, definite: true });
  });
});

describe('an answer of somebody else', () => {
  it.each([
    [400, true],
    [408, false],
    [429, false],
    [499, true],
    [500, false],
    [502, false],
  ])('with status %i: asking again would get the same: %p', (status, definite) => {
    expect(foreignAnswer(status, '').definite).toBe(definite);
  });
});

describe('a connection that fails', () => {
  it.each([
    ['EPROTO', true],
    ['CERT_HAS_EXPIRED', true],
    ['ERR_TLS_CERT_ALTNAME_INVALID', true],
    ['EPROTOTYPE', false],
    ['X_CERT_HAS_EXPIRED', false],
    ['ECONNREFUSED', false],
  ])('with %s: asking again would get the same: %p', (code, definite) => {
    const error = Object.assign(new Error('failed'), { code });
    expect(failureAt('http://h:1', error, asItIs)).toMatchObject({ definite, message: 'etcd http://h:1: failed' });
  });
});
