import { runCommand } from '../support/process/command.js';
import { builtPackage } from '../support/package/built-package.js';

/** Loads our root export in a fresh process that has Express already, and tells what else was loaded, of npm and of Node. */
async function loadedBeyond(express: string): Promise<{ files: string[]; ofNode: string[] }> {
  const { folder } = await builtPackage();
  const script = `
    require('${express}');
    require.cache[require.resolve('express')] = require.cache[require.resolve('${express}')];
    const before = new Set([...Object.keys(require.cache), ...process.moduleLoadList]);
    const root = require('node:path').dirname(require.resolve('express-endpoint-listing/package.json'));
    require('express-endpoint-listing');
    const isNew = (name) => !before.has(name);
    const files = Object.keys(require.cache).filter(isNew).map((file) => file.slice(root.length + 1).replaceAll('\\\\', '/'));
    console.log(JSON.stringify({ files, ofNode: process.moduleLoadList.filter(isNew) }));`;
  const loaded = await runCommand(process.execPath, ['--input-type=commonjs', '--eval', script], { cwd: folder });
  return JSON.parse(loaded) as Awaited<ReturnType<typeof loadedBeyond>>;
}

describe.each(['express', 'express4'])('Where %s is loaded, the root export loads', (express) => {
  it('nothing but two files of its own', async () => {
    expect((await loadedBeyond(express)).files).toEqual(['dist/cjs/index.js', 'dist/cjs/shared/core.js']);
  });

  it('no further module of Node', async () => {
    expect((await loadedBeyond(express)).ofNode).toEqual([]);
  });
});
