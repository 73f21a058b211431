import { group, kindOf, readOptions } from '../../lib/options/read-options.js';
import { boolean, integer, milliseconds, millisecondsOrInfinity } from '../../lib/options/rules.js';

const text = { allowed: 'a text', read: (value: unknown) => (typeof value === 'string' ? value : undefined) };
const rules = {
  name: text,
  waitMs: milliseconds(1, 500),
  maxMs: millisecondsOrInfinity(0, 900),
  tries: integer(1, 10, 2),
  self: boolean(true),
  key: { ...text, fallback: undefined, show: kindOf },
  way: { ...group({ to: text, costMs: milliseconds(0, 3) }), fallback: undefined },
};
const read = (given: unknown) => readOptions('createThing', given, rules);

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

  const NAMES = 'allowed: name, waitMs, maxMs, tries, self, key, way';
  const OPTIONS = 'the options must be a plain object, got';
  const WAIT = 'option waitMs must be milliseconds from 1 to 2147483647, got';

  it.each([
    [undefined, `${OPTIONS} undefined`],
    [null, `${OPTIONS} null`],
    [[], `${OPTIONS} an array`],
    ['x', `${OPTIONS} a string`],
    [Object.create({ name: 'a' }), `${OPTIONS} object`],
    [{}, 'option name is missing; it must be a text'],
    [{ name: undefined }, 'option name must be a text, got undefined'],
    [{ name: 7 }, 'option name must be a text, got 7'],
    [{ name: true }, 'option name must be a text, got true'],
    [
      { name: { provider: () => [], status: () => 0 } },
      'option name must be a text, got a directory: pass directory.provider',
    ],
    [{ name: new Proxy({ provider: () => [], status: () => 0 }, {}) }, 'option name must be a text, got object'],
    [{ name: 'a', [Symbol('self')]: false }, `unknown option Symbol(self); ${NAMES}`],
    [{ name: 'a', nmae: 'b' }, `unknown option "nmae"; ${NAMES}`],
    [{ name: 'a', waitMs: undefined }, `${WAIT} undefined`],
    [{ name: 'a', waitMs: 0 }, `${WAIT} 0`],
    [{ name: 'a', waitMs: NaN }, `${WAIT} NaN`],
    [{ name: 'a', waitMs: Infinity }, `${WAIT} Infinity`],
    [{ name: 'a', waitMs: '5' }, `${WAIT} "5"`],
    [{ name: 'a', maxMs: -1 }, 'option maxMs must be milliseconds from 0 to 2147483647, or Infinity, got -1'],
    [{ name: 'a', tries: 1.5 }, 'option tries must be an integer from 1 to 10, got 1.5'],
    [{ name: 'a', tries: 11 }, 'option tries must be an integer from 1 to 10, got 11'],
    [{ name: 'a', self: 'no' }, 'option self must be true or false, got "no"'],
    [{ name: 'a', way: 'there' }, 'option way must be a plain object of to, costMs, got a string'],
    [{ name: 'a', way: {} }, 'option way.to is missing; it must be a text'],
    [{ name: 'a', way: { to: 'b', from: 'c' } }, 'option way has an unknown name "from"; allowed: to, costMs'],
    [{ name: 'a', way: { to: 'b', costms: 5 } }, 'option way has an unknown name "costms", did you mean costMs?'],
    [{ name: 'a', key: 5 }, 'option key must be a text, got number'],
  ])('%p is refused', (given, message) => expect(() => read(given)).toThrow(new TypeError(`createThing: ${message}`)));
});
