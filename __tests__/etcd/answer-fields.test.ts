import { fieldsOfAnswer, int64, resultOf } from '../../lib/etcd/answer-fields.js';
import { etcdError, failureAt, failureOfAll, foreignAnswer, GatewayError } from '../../lib/etcd/errors.js';

const asItIs = (text: string): string => text;

describe('an answer with status 200', () =>
  it.each(['7', 'null', '"x"', 'not JSON'])('%s is none of etcd', (text) =>
    expect(() => fieldsOfAnswer(text, asItIs)).toThrow(`response is not from etcd: 200 ${JSON.stringify(text)}`),
  ));

describe('a message of a stream', () =>
  it.each([{ result: null }, { result: 7 }])('%j has an unknown shape', (message) =>
    expect(() => resultOf(message)).toThrow('unexpected response from etcd: field "result"'),
  ));

describe('a 64-bit number', () => {
  it.each(['x1', '1x', '', '-1', '12345678901234567890'])('%j is none', (value) =>
    expect(() => int64({ revision: value }, 'revision')).toThrow('unexpected response from etcd: field "revision"'),
  );

  it('may be omitted, which means 0', () => expect(int64({}, 'revision')).toBe(0n));
});

describe('an error of etcd', () =>
  it('has its code under either name', () => {
    expect(etcdError({ code: 7, message: 'no' })).toMatchObject({ code: 7, definite: true });
    expect(etcdError({ grpc_code: 7, message: 'no' })).toMatchObject({ code: 7, definite: true });
  }));

describe('an answer of somebody else', () =>
  it.each([
    [400, true],
    [408, false],
    [429, false],
    [499, true],
    [500, false],
    [502, false],
  ])('with status %i: asking again would get the same: %p', (status, definite) =>
    expect(foreignAnswer(status, '').definite).toBe(definite),
  ));

describe('a connection that fails', () =>
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
  }));

describe('the failures of several hosts', () => {
  const at = (host: string, definite: boolean, code?: number): GatewayError =>
    new GatewayError(`etcd ${host}: failed`, { definite, code, host });

  it('are one, which names all, and is definite when each of them is', () => {
    expect(failureOfAll([at('http://a:1', true), at('http://b:1', true)])).toMatchObject({
      message: 'etcd http://a:1: failed; etcd http://b:1: failed',
      definite: true,
      code: undefined,
    });
    expect(failureOfAll([at('http://a:1', true), at('http://b:1', false)])).toMatchObject({ definite: false });
    expect(failureOfAll([at('http://a:1', false), at('http://b:1', true)])).toMatchObject({ definite: false });
  });

  it('are what etcd itself says, when the last host is etcd and says what counts for all', () => {
    const failures = [at('http://a:1', false), at('http://b:1', true, 7)];
    expect(failureOfAll(failures)).toMatchObject({ definite: true, code: 7 });
    expect(failureOfAll([at('http://a:1', true), at('http://b:1', false, 5)])).toMatchObject({
      definite: false,
      code: 5,
    });
    expect(failureOfAll([at('http://a:1', true), at('http://b:1', false, 14)])).toMatchObject({ code: undefined });
  });
});
