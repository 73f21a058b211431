import { formatEndpoint } from '../../lib/index.js';
import { verdictOn } from '../support/runner/verdict.js';

const LENGTH = 100_000;

/** Each repeats a piece that a careless pattern would try again from every place. */
const SHAPES: readonly [name: string, before: string, piece: string, behind: string][] = [
  ['letters', '', 'a', ''],
  ['a long host', 'tcp://', 'a', ':1'],
  ['a long label list', 'tcp://', 'a.', 'a:1'],
  ['hyphens', 'tcp://a', '-', 'a:1'],
  ['a long international name', 'tcp://', '\u00fc', ':1'],
  ['combining marks', 'tcp://a', '\u0308\u0323', ':1'],
  ['punycode', 'tcp://xn--', 'a9', ':1'],
  ['digits', 'tcp://h:', '9', ''],
  ['zeros', 'tcp://h:', '0', '1'],
  ['colons', 'tcp://', ':', ''],
  ['brackets', 'tcp://', '[', ''],
  ['bracket pairs', 'tcp://', '[]', ''],
  ['an unclosed bracket', 'tcp://[', '::1', ''],
  ['slashes', 'tcp://h', '/', ''],
  ['schemes', '', 'http+', 'tcp://h:1'],
  ['at signs', 'tcp://', '@', 'h:1'],
  ['schemes with at signs', '', 'http@', 'tcp://h:1'],
  ['separators', '', '://', ''],
  ['blanks', 'tcp://h', ' ', '\u0000'],
  ['surrogates', 'tcp://', '\ud800', ''],
  ['a long socket path', 'unix://', '/s', ''],
  ['bytes that JSON escapes', 'tcp://', '\u0000"\\', ''],
];

/** Milliseconds for twenty runs: some 2 are needed, and work that grows with the square of the length takes over 20,000. */
const LIMIT = 4_000;

function millisecondsOf(work: () => void): number {
  const start = performance.now();
  for (let run = 0; run < 20; run += 1) work();
  return performance.now() - start;
}

describe('A text of 100,000 characters, or of 1,024, takes no more time than its length asks for', () => {
  it.each(SHAPES)('%s', (_, before, piece, behind) => {
    const text = before + piece.repeat(Math.ceil(LENGTH / piece.length)) + behind;
    expect(verdictOn(text)).toEqual(['is refused:', 'it is longer than 1024 characters']);
    expect(millisecondsOf(() => verdictOn(text))).toBeLessThan(LIMIT);
    // The longest that is read at all.
    const longest = before + piece.repeat(Math.floor((1024 - before.length - behind.length) / piece.length)) + behind;
    expect(verdictOn(longest)[0]).toBe('is refused:');
    expect(millisecondsOf(() => verdictOn(longest))).toBeLessThan(LIMIT);
  });

  it('nor does a part of that length when an endpoint is put together', () => {
    const host = 'a:'.repeat(LENGTH / 2);
    const format = (): string => formatEndpoint({ scheme: 'tcp', host, port: 1 });
    expect(format).toThrow('it is longer than 1024 characters');
    expect(millisecondsOf(() => expect(format).toThrow())).toBeLessThan(LIMIT);
  });
});
