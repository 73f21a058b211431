import { bare, firstOf, titled } from '../../lib/text/shown.js';

it.each([
  ['tcp://h:1', 'tcp://h:1'],
  ['tcp://root:secret@h:1', 'tcp://***@h:1'],
  ['say "yes" now', String.raw`say \"yes\" now`],
  ['\u001b[1m', String.raw`\u001b[1m`],
  ['x'.repeat(201), `${'x'.repeat(200)}... (201 characters)`],
])('A text in a column of a table has no quotes around it: %j', (text, column) => expect(bare(text)).toBe(column));

describe('Lines below a title', () =>
  it.each([
    [['one'], 'title: one'],
    [['one', 'two'], 'title:\n  one\n  two'],
  ])('stand beside it where it is one: %j', (lines, text) => expect(titled('title', lines)).toBe(text)));

describe('A line that names many', () =>
  it('has the first of them, and how many more there are', () => {
    expect(firstOf(['a', 'b'], ', ', 2)).toBe('a, b');
    expect(firstOf(['a', 'b', 'c'], ', ', 2)).toBe('a, b and 1 more');
  }));
