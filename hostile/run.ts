/** `npm run hostile [-- attack|soak|chaos|checked-list] [--name N]...`: the rest of the command line is the program's. */
const PROGRAMS = new Map([
  ['attack', './hostile.js'],
  ['soak', './soak.js'],
  ['checked-list', './checked-list.js'],
  ['chaos', '../../__tests__/support/chaos/chaos-by-hand.mjs'],
]);

const [first = ''] = process.argv.slice(2);
const name = first === '' || first.startsWith('--') ? 'attack' : first;
const program = PROGRAMS.get(name);
if (program === undefined)
  throw new TypeError(`unknown program ${first}; known are ${[...PROGRAMS.keys()].join(', ')}`);
if (name === first) process.argv.splice(2, 1);
await import(new URL(program, import.meta.url).href);
