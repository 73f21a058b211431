import fc from 'fast-check';

const scheme = fc.constantFrom('tcp', 'SSL', 'http', 'Https', 'http+tcp', 'HTTP+ssl', 'http@tcp', 'http@ssl');
const unixScheme = fc.constantFrom('unix', 'HTTP+unix', 'http@unix');
const port = fc.oneof(
  fc.constant(''),
  fc.integer({ min: 1, max: 65_535 }).map((number) => `:${String(number)}`),
  fc.constantFrom(':80', ':443', ':8529'),
);
const label = fc.stringMatching(/^[a-zA-Z0-9_](?:[a-zA-Z0-9_-]{0,10}[a-zA-Z0-9_])?$/);
const internationalLabel = fc.string({
  unit: fc.constantFrom(
    'a',
    'Z',
    '0',
    '-',
    '\u00e9',
    '\u00df',
    '\u00dc',
    '\u0436',
    '\u05d0',
    '\u4e2d',
    '\u0661',
    '\u212a',
    '\uff21',
    '\u{1f600}',
    '\u0308',
  ),
  minLength: 1,
  maxLength: 8,
});
const host = fc.oneof(
  { weight: 3, arbitrary: fc.array(label, { minLength: 1, maxLength: 4 }).map((labels) => labels.join('.')) },
  {
    weight: 1,
    arbitrary: fc.array(internationalLabel, { minLength: 1, maxLength: 3 }).map((labels) => labels.join('.')),
  },
  { weight: 1, arbitrary: fc.domain() },
  { weight: 1, arbitrary: fc.ipV4() },
  { weight: 2, arbitrary: fc.ipV6().map((address) => `[${address}]`) },
);
const path = fc.string({ unit: 'grapheme-composite', minLength: 1, maxLength: 20 }).map((text) => `/${text}`);

/** Endpoint descriptions as people and programs write them; most of them are right. */
export const endpointText: fc.Arbitrary<string> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc
      .tuple(scheme, host, port, fc.constantFrom('', '', '/'))
      .map(([s, h, p, slash]) => `${s}://${h}${p}${slash}`),
  },
  { weight: 1, arbitrary: fc.tuple(unixScheme, path).map(([s, p]) => `${s}://${p}`) },
);

const PIECES = [
  'tcp',
  'http@',
  'unix',
  '://',
  ':',
  '/',
  '//',
  '[',
  ']',
  '::1',
  '@',
  '%',
  '?',
  '#',
  '\\',
  '.',
  '..',
  '0',
  '8529',
  'h',
  '-',
  'xn--',
  ' ',
  '\u0000',
  '\u00fc',
  '\ud800',
  '127.0.0.1',
  '\u3002',
  '\uff1a',
];

/** Pieces of endpoint descriptions in any order. */
export const hostileText: fc.Arbitrary<string> = fc
  .array(fc.constantFrom(...PIECES), { maxLength: 12 })
  .map((pieces) => pieces.join(''));
