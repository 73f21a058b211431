import { errorOf, reasonOf, withReason } from '../../lib/text/reason.js';

/** An error of errors, each with a message and the next one. */
const nested = (...words: string[]): Error =>
  words.reduceRight((inner, word) => new AggregateError([inner], word), new Error('end'));
const text = (count: number): string[] => Array.from({ length: count }, (_, index) => String(index));
const revoked = (): object => {
  const { proxy, revoke } = Proxy.revocable({}, {});
  revoke();
  return proxy;
};

describe('The reason of a failure', () =>
  it.each<[what: string, thrown: unknown, reason: string | undefined]>([
    ['is the message', new Error('a'), 'a'],
    ['is the code where there is no message', Object.assign(new Error(''), { code: 'ECONNREFUSED' }), 'ECONNREFUSED'],
    ['is that of each of several, once', new AggregateError([new Error('a'), 'b', new Error('a')]), 'a; "b"'],
    ['is the message and that of each', new AggregateError([new Error('a')], 'all'), 'all: a'],
    [
      'is that of the first 20',
      new AggregateError(text(21)),
      text(20)
        .map((one) => `"${one}"`)
        .join('; '),
    ],
    ['is that of three levels below the first', nested('a', 'b', 'c', 'd', 'e'), 'a: b: c: d'],
    ['is missing where nothing has a text', { message: 1, errors: {} }, undefined],
    ['is missing where reading it throws', revoked(), undefined],
  ])('%s', (_what, thrown, reason) => expect(reasonOf(thrown)).toBe(reason)));

describe('What was thrown', () => {
  it('stays as it is where it is an error with a message', () => {
    const thrown = new Error('a');
    expect([withReason(thrown), errorOf(thrown, 'the check')]).toEqual([thrown, thrown]);
    expect(withReason(thrown)).toBe(thrown);
  });

  it.each<[what: string, thrown: unknown, message: string]>([
    ['an error of several', new AggregateError([new Error('a')]), 'a'],
    ['an object with a message', { message: 'a' }, 'a'],
    ['an error whose message is no text', Object.assign(new Error('a'), { message: undefined }), 'failed with object'],
  ])('is the cause of an error with a message: %s', (_what, thrown, message) => {
    const error = withReason(thrown);
    expect([error === thrown, error.message, error.cause === thrown]).toEqual([false, message, true]);
  });

  it('is shown, with the work that failed, where it is no error', () =>
    expect(errorOf('a', 'the check').message).toBe('the check failed: "a"'));
});
