import { nearestName } from '../../lib/text/nearest-name.js';

describe('The name that was probably meant', () =>
  it.each<[what: string, written: string, names: string[], meant: string | undefined]>([
    ['has the letters in another case, without the dashes in front', '---AB', ['ab'], 'ab'],
    ['is compared in small letters', 'ß', ['ss'], undefined],
    ['keeps a dash between its letters', 'a-b', ['ab', 'a-b'], 'a-b'],
    ['may be the part behind the last dot', 'port', ['server.endpoint.port'], 'server.endpoint.port'],
    ['has one letter more in a short one', 'ab', ['abc'], 'abc'],
    ['has one letter fewer', 'abc', ['ac'], 'ac'],
    ['does not lack the first letter of five and have one more at the end', 'xabcd', ['abcde'], undefined],
    ['has no two other letters of two', 'ab', ['cd'], undefined],
    ['has two other letters of six', 'abcdef', ['axcdyf'], 'axcdyf'],
    ['has no three other letters of six', 'abcdef', ['axcyzf'], undefined],
    ['has three other letters of twelve', 'abcdefghijkl', ['abcdefxhyjkz'], 'abcdefxhyjkz'],
    ['has no four other letters of twelve', 'abcdefghijkl', ['abcdwfxhyjkz'], undefined],
    ['is not four letters longer', 'abcdefghijkl', ['abcdefghijklmnop'], undefined],
    ['lacks the first letter, and has another at the end', 'abcdef', ['bcdefg'], 'bcdefg'],
    ['is the nearest', 'abcdef', ['abcdxy', 'abcdex', 'abcxyf'], 'abcdex'],
    ['is the first of two that are as near', 'abcdef', ['abcdex', 'abcdey'], 'abcdex'],
    ['is nothing that is written as nothing', '', ['abc'], undefined],
  ])('%s', (_what, written, names, meant) => expect(nearestName(written, names)).toBe(meant)));
