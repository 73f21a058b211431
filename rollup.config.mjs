import { readFileSync } from 'node:fs';
import { basename, join, relative, sep } from 'node:path';
import { dts } from 'rollup-plugin-dts';

const COMPILED = join(import.meta.dirname, 'build');
/** The files that package.json points at: a subpath or the command each. A new subpath is a line here and one there. */
const ENTRIES = {
  index: 'index',
  client: 'client/index',
  config: 'config/index',
  'dns-srv': 'dns-srv/index',
  etcd: 'etcd/index',
  listen: 'listen/index',
  directory: 'directory/index',
  page: 'page/index',
  upstream: 'upstream/index',
  health: 'health/index',
  testing: 'testing/index',
  cli: 'cli/bin',
};
/**
 * The files that several subpaths share. Opening a file costs more than reading what is in it, so what every subpath needs is
 * one file; what needs a module of Node that others do without is in another.
 */
const SHARED = {
  endpoint: 'core',
  text: 'core',
  options: 'core',
  'options/tls': 'tls',
  'request/deadline': 'core',
  'request/bounded-body': 'core',
  'request/in-turns': 'core',
  'listing/ask-listing': 'request',
  'listing/listed': 'core',
  'listing/lists': 'core',
  'listing/translation-rules': 'core',
};

/** A module by its path in lib, without the ending: `router/guard`. */
const nameOf = (modulePath) => relative(COMPILED, modulePath).split(sep).join('/').replace(/\.js$/, '');

/** One file for each subpath, and for each part that several share. */
function chunkOf(modulePath) {
  const name = nameOf(modulePath);
  const [folder] = name.split('/');
  if (folder === 'router') return 'index';
  // What is loaded only when it is asked for stays in a file of its own.
  if (folder === 'cli') return undefined;
  if (name.startsWith('client/check/') && name !== 'client/check/index') return 'check';
  return SHARED[name] ?? SHARED[folder] ?? folder;
}

/** Without it, Node would take the CommonJS files for ES modules, as package.json says. */
const markedAsCommonJs = {
  name: 'marked-as-commonjs',
  generateBundle() {
    this.emitFile({ type: 'asset', fileName: 'package.json', source: '{"type":"commonjs","sideEffects":false}\n' });
  },
};

const BROWSER = join(COMPILED, 'page/browser');

/** What the page sends to browsers is a file each in lib, and a string in the package: nothing has to be found when it runs. */
const browserFilesAsText = {
  name: 'browser-files-as-text',
  resolveId: (source) => (source.startsWith('./browser/') ? join(BROWSER, basename(source)) : null),
  load: (id) => {
    if (!id.startsWith(BROWSER)) return null;
    const text = readFileSync(join(import.meta.dirname, 'lib/page/browser', basename(id)), 'utf8');
    return `export default ${JSON.stringify(text)};`;
  },
};

/** The command is only ever started as an ES module. */
const withoutCommand = {
  name: 'without-command',
  generateBundle(_options, bundle) {
    for (const file of Object.keys(bundle)) if (/^cli[./]/.test(file)) delete bundle[file];
  },
};

const common = {
  external: ['express', 'http-errors', /^node:/],
  // A cycle, or a name that is not there, is a mistake.
  onLog(level, log, handle) {
    if (level === 'warn') handle('error', log);
    else handle(level, log);
  },
};

const code = {
  manualChunks: chunkOf,
  chunkFileNames: ({ moduleIds }) =>
    moduleIds.every((id) => nameOf(id).startsWith('cli/')) ? 'cli/[name].js' : 'shared/[name].js',
  minifyInternalExports: false,
  hoistTransitiveImports: false,
};

/** The declarations of one entry, complete in one file, for each of the two formats. */
const declarations = ([name, compiled]) => ({
  ...common,
  input: { [name]: join(COMPILED, `${compiled}.d.ts`) },
  output: ['dist/esm', 'dist/cjs'].map((dir) => ({ dir, format: 'es' })),
  plugins: [dts()],
});

export default [
  {
    ...common,
    input: Object.fromEntries(
      Object.entries(ENTRIES).map(([name, compiled]) => [name, join(COMPILED, `${compiled}.js`)]),
    ),
    plugins: [browserFilesAsText],
    treeshake: { moduleSideEffects: 'no-external' },
    output: [
      { ...code, dir: 'dist/esm', format: 'es' },
      {
        ...code,
        dir: 'dist/cjs',
        format: 'cjs',
        exports: 'named',
        interop: 'auto',
        plugins: [markedAsCommonJs, withoutCommand],
      },
    ],
  },
  ...Object.entries(ENTRIES)
    .filter(([name]) => name !== 'cli')
    .map(declarations),
];
