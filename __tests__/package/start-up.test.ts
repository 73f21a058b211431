import { execFileSync } from 'node:child_process';

/** Loads our root export in a fresh process that has Express already, and tells what else was loaded, of npm and of Node. */
function loadedBeyond(express: string): { files: string[]; ofNode: string[] } {
  const script = `
    require('${express}');
    require.cache[require.resolve('express')] = require.cache[require.resolve('${express}')];
    const before = new Set([...Object.keys(require.cache), ...process.moduleLoadList]);
    const root = require('node:path').dirname(require.resolve('express-endpoint-listing/package.json'));
    require('express-endpoint-listing');
    const isNew = (name) => !before.has(name);
    const files = Object.keys(require.cache).filter(isNew).map((file) => file.slice(root.length + 1).replaceAll('\\\\', '/'));
    console.log(JSON.stringify({ files, ofNode: process.moduleLoadList.filter(isNew) }));`;
  const loaded = execFileSync(process.execPath, ['--input-type=commonjs', '--eval', script], { encoding: 'utf8' });
  return JSON.parse(loaded) as ReturnType<typeof loadedBeyond>;
}

describe.each(['express', 'express4'])('Where %s is loaded, the root export loads', (express) => {
  it('nothing but two files of its own', () => {
    expect(loadedBeyond(express).files).toEqual(['dist/cjs/index.js', 'dist/cjs/shared/core.js']);
  });

  it('no further module of Node', () => {
    expect(loadedBeyond(express).ofNode).toEqual([]);
  });
});
