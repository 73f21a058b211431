import {
  boolean,
  group,
  integer,
  milliseconds,
  millisecondsOrInfinity,
  readOptions,
} from '../../lib/membership/options.js';

const text = { allowed: 'a text', read: (value: unknown) => (typeof value === 'string' ? value : undefined) };
const rules = {
  name: text,
  waitMs: milliseconds(1, 500),
  maxMs: millisecondsOrInfinity(0, 900),
  tries: integer(1, 10, 2),
  self: boolean(true),
  key: { ...text, fallback: undefined, secret: true as const },
  way: { ...group({ to: text, costMs: milliseconds(0, 3) }), fallback: undefined },
};
const read = (given: unknown) => readOptions('createThing option', given, rules);

describe('options', () => {
  it('get their defaults, and are frozen', () => {
    const options = read({ name: 'a' });
    expect(options).toStrictEqual({
      name: 'a',
      waitMs: 500,
      maxMs: 900,
      tries: 2,
      self: true,
      key: undefined,
      way: undefined,
    });
    expect(Object.isFrozen(options)).toBe(true);
  });

  it('are used as given', () => {
    const given = { name: 'a', waitMs: 7, tries: 10, key: 'k', way: { to: 'b' } };
    expect(read(given)).toMatchObject({ waitMs: 7, tries: 10, key: 'k', way: { to: 'b', costMs: 3 } });
  });

  it('may come in a frozen object or one without a prototype, which stays as it is', () => {
    const given: unknown = Object.freeze(
      Object.assign(Object.create(null), { name: 'a', maxMs: Infinity, self: false }),
    );
    expect(read(given)).toMatchObject({ maxMs: Infinity, self: false });
  });

  it.each([
    [undefined, 'createThing options are undefined; allowed: an object of name, waitMs, maxMs, tries, self, key, way'],
    [null, 'createThing options are null; allowed: an object of name, waitMs, maxMs, tries, self, key, way'],
    [[], 'createThing options are an array; allowed: an object of name, waitMs, maxMs, tries, self, key, way'],
    ['x', 'createThing options are "x"; allowed: an object of name, waitMs, maxMs, tries, self, key, way'],
    [{}, 'createThing option name is undefined; allowed: a text'],
    [{ name: undefined }, 'createThing option name is undefined; allowed: a text'],
    [{ name: 7 }, 'createThing option name is 7; allowed: a text'],
    [
      { name: 'a', [Symbol('self')]: false },
      'createThing option Symbol(self) is unknown; allowed: name, waitMs, maxMs, tries, self, key, way',
    ],
    [
      Object.create({ name: 'a' }),
      'createThing options are object; allowed: an object of name, waitMs, maxMs, tries, self, key, way',
    ],
    [{ name: true }, 'createThing option name is true; allowed: a text'],
    [
      { name: 'a', nmae: 'b' },
      'createThing option "nmae" is unknown; allowed: name, waitMs, maxMs, tries, self, key, way',
    ],
    [
      { name: 'a', waitMs: undefined },
      'createThing option waitMs is undefined; allowed: milliseconds from 1 to 2147483647',
    ],
    [{ name: 'a', waitMs: 0 }, 'createThing option waitMs is 0; allowed: milliseconds from 1 to 2147483647'],
    [{ name: 'a', waitMs: NaN }, 'createThing option waitMs is NaN; allowed: milliseconds from 1 to 2147483647'],
    [
      { name: 'a', waitMs: Infinity },
      'createThing option waitMs is Infinity; allowed: milliseconds from 1 to 2147483647',
    ],
    [{ name: 'a', waitMs: '5' }, 'createThing option waitMs is "5"; allowed: milliseconds from 1 to 2147483647'],
    [
      { name: 'a', maxMs: -1 },
      'createThing option maxMs is -1; allowed: milliseconds from 0 to 2147483647, or Infinity',
    ],
    [{ name: 'a', tries: 1.5 }, 'createThing option tries is 1.5; allowed: an integer from 1 to 10'],
    [{ name: 'a', tries: 11 }, 'createThing option tries is 11; allowed: an integer from 1 to 10'],
    [{ name: 'a', self: 'no' }, 'createThing option self is "no"; allowed: true or false'],
    [{ name: 'a', way: 'there' }, 'createThing option way is string; allowed: an object of to, costMs'],
    [{ name: 'a', way: {} }, 'createThing option way.to is undefined; allowed: a text'],
    [{ name: 'a', way: { to: 'b', from: 'c' } }, 'createThing option way."from" is unknown; allowed: to, costMs'],
    [{ name: 'a', key: 5 }, 'createThing option key is number; allowed: a text'],
  ])('%p is refused', (given, message) => {
    expect(() => read(given)).toThrow(new TypeError(message));
  });
});
