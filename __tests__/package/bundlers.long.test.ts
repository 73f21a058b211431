import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { installPackage, type Installation } from '../support/package/installation.js';
import { describeWithRegistry } from '../support/package/registry.js';
import { JAVASCRIPT_PRINTS } from '../support/package/unpacked.js';
import { runCommand } from '../support/process/command.js';

const ROLLUP_CONFIG = `
import { nodeResolve } from '@rollup/plugin-node-resolve';
export default {
  input: 'index.js',
  external: ['express', 'http-errors', /^node:/],
  output: { file: 'bundle.mjs', format: 'es' },
  plugins: [nodeResolve()],
  onLog(level, log) { if (level === 'warn') throw new Error(log.message); },
};`;
const WEBPACK_CONFIG = `
export default {
  mode: 'production',
  // esbuild minifies, in a hundredth of the time.
  optimization: { minimize: false },
  target: 'node',
  entry: './index.js',
  output: { path: import.meta.dirname, filename: 'bundle.cjs' },
};`;

/** How each of them makes one file of a host application, and the name of that file. */
const BUNDLERS = [
  ['esbuild', ['index.js', '--bundle', '--minify', '--platform=node', '--outfile=bundle.cjs'], 'bundle.cjs'],
  ['rollup', ['--config', '--silent'], 'bundle.mjs'],
  ['webpack', [], 'bundle.cjs'],
] as const;

describeWithRegistry('A host application answers both routes, bundled by', () => {
  let installation: Installation;
  beforeAll(async () => {
    const bundlers = ['esbuild', 'rollup', '@rollup/plugin-node-resolve', 'webpack', 'webpack-cli'];
    installation = await installPackage(['express@5', ...bundlers]);
  });
  afterAll(() => installation.remove());

  it.each(BUNDLERS)('%s', async (bundler, args, bundle) => {
    const folder = await installation.addConsumer('js-esm', bundler);
    await writeFile(join(folder, 'rollup.config.js'), ROLLUP_CONFIG);
    await writeFile(join(folder, 'webpack.config.js'), WEBPACK_CONFIG);
    await runCommand(join(installation.folder, 'node_modules/.bin', bundler), args, { cwd: folder });
    await expect(runCommand('node', [bundle], { cwd: folder })).resolves.toBe(JAVASCRIPT_PRINTS);
  });
});
