import { readdirSync, readFileSync } from 'node:fs';
import { join, relative, sep } from 'node:path';

const COMPILED = join(import.meta.dirname, 'build');
/** The subpaths of the package, and its command. */
const ENTRIES = [
  'index',
  'client/index',
  'membership/dns-srv/index',
  'membership/etcd/index',
  'server/cli/bin',
  'server/config/index',
  'server/listen/index',
];
/** Each becomes one file; longer paths first. */
const FOLDERS = [
  'client',
  'endpoint',
  'membership/dns-srv',
  'membership/etcd',
  'membership',
  'server/config',
  'server/listen',
];

/** A module by the name that it has in lib. */
const nameOf = (modulePath) => relative(COMPILED, modulePath).split(sep).join('/');

/** A file for each subpath, and one for each part that several of them share: loading a file costs more than what is in it. */
function fileOf(modulePath) {
  const name = nameOf(modulePath);
  if (name === 'contract.js' || name.startsWith('options/')) return 'endpoint';
  if (name === 'index.js' || name.startsWith('router/')) return 'index';
  return FOLDERS.find((folder) => name.startsWith(`${folder}/`));
}

/** The types stay as they were compiled, a file for each module: who reads a declaration finds it under the name of its source. */
const types = {
  name: 'types',
  generateBundle() {
    for (const path of readdirSync(COMPILED, { recursive: true, encoding: 'utf8' })) {
      if (!path.endsWith('.d.ts')) continue;
      const source = readFileSync(join(COMPILED, path), 'utf8');
      this.emitFile({ type: 'asset', fileName: path.split(sep).join('/'), source });
    }
  },
};

/** Without it, Node would take the CommonJS files for ES modules, as package.json says. */
const markedAsCommonJs = {
  name: 'marked-as-commonjs',
  generateBundle() {
    this.emitFile({ type: 'asset', fileName: 'package.json', source: '{"type":"commonjs","sideEffects":false}\n' });
  },
};

const common = {
  manualChunks: fileOf,
  chunkFileNames: ({ moduleIds }) =>
    moduleIds.every((id) => nameOf(id).startsWith('server/cli/')) ? 'server/cli/[name].js' : 'shared/[name].js',
  minifyInternalExports: false,
  hoistTransitiveImports: false,
};

export default {
  input: Object.fromEntries(ENTRIES.map((entry) => [entry, join(COMPILED, `${entry}.js`)])),
  external: ['express', 'http-errors', /^node:/],
  treeshake: { moduleSideEffects: 'no-external' },
  output: [
    { ...common, dir: 'dist/esm', format: 'es', plugins: [types] },
    {
      ...common,
      dir: 'dist/cjs',
      format: 'cjs',
      exports: 'named',
      interop: 'auto',
      plugins: [types, markedAsCommonJs],
    },
  ],
  // A cycle, or a name that is not there, is a mistake.
  onLog(level, log, handle) {
    if (level === 'warn') handle('error', log);
    else handle(level, log);
  },
};
