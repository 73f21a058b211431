import { configure } from './jest.config.mjs';

/**
 * What tries a folder of lib: its own tests, and a few of others where those say more. A folder or a file below `__tests__` each.
 */
const TESTS = {
  cli: ['cli', 'check', 'times/command'],
  client: ['client', 'check', 'times/defaults'],
  'command-line': ['config', 'cli'],
  config: ['config'],
  directory: ['directory', 'upstream/outage', 'health/list', 'times/defaults'],
  'dns-srv': ['dns-srv', 'times/defaults'],
  drivers: ['drivers', 'cli/drivers', 'router/drivers'],
  // Not those of DNS servers: a wrong address of one ends the process.
  endpoint: [
    'endpoint',
    'client/fetch-options',
    'client/fetch-endpoints',
    'upstream/options',
    'health/options',
    'config/horizons',
    'config/options',
    'config/three-places',
    'listen/arguments',
    'check/warnings',
  ],
  etcd: ['etcd', 'times/etcd'],
  health: ['health', 'times/health', 'times/defaults'],
  listen: ['listen', 'times/listen'],
  listing: [
    'client',
    'check/check-endpoints',
    'upstream/outage',
    'upstream/credentials',
    'directory/translated',
    'directory/held-list',
    'router/providers',
    'router/skipped-entries',
    'router/translated-provider',
  ],
  options: [
    'options',
    'listen/arguments',
    'health/options',
    'dns-srv/options',
    'upstream/options',
    'client/fetch-options',
  ],
  page: ['page'],
  request: ['client', 'upstream'],
  router: ['router', 'times/defaults'],
  testing: ['testing', 'cli/test-cluster'],
  text: ['text', 'endpoint/error-message'],
  upstream: ['upstream', 'times/defaults'],
};

/** The folder that the command line names, `--mutate 'lib/endpoint/*.ts'`, if it is one. */
const [folder, ...others] = new Set(process.argv.flatMap((argument) => argument.match(/\blib\/[a-z-]+/g) ?? []));
const tests = folder !== undefined && others.length === 0 ? TESTS[folder.slice('lib/'.length)] : undefined;

const { projects, testTimeout } = configure({ isLongRun: false });

/** The project of a name, whose root is not here: StrykerJS runs the tests in copies of the package. */
const project = (name) => {
  const { rootDir: _, displayName: __, ...settings } = projects.find(({ displayName }) => displayName === name);
  return settings;
};

/**
 * One project, as StrykerJS overrides settings of several: that of the router's tests, on one host, in which the others run as
 * well. The tests of the built package would not see the change.
 */
const jestConfig = {
  ...project('express5'),
  // StrykerJS merges this into jest.config.mjs, whose projects would run every test once each.
  projects: [],
  testMatch: (tests ?? ['!(package|example|hostile|engines|support|consumers)']).map(
    (name) => `<rootDir>/__tests__/${name}${name.includes('/') ? '' : '/**/*'}.test.ts`,
  ),
  testTimeout,
  reporters: [],
};
if (tests?.some((name) => name.startsWith('router')) !== true) delete jestConfig.setupFilesAfterEnv;

/**
 * `npm run mutation -- --mutate 'lib/endpoint/**\/*.ts'`: tries changes to a folder of lib against its quick tests, and fails when
 * too many of them go unnoticed. Without `--mutate` it tries all of lib against all quick tests, which takes days.
 *
 * A change that no test can notice has a comment before its line: `// Stryker disable next-line <mutator>: reason`.
 */
export default {
  mutate: ['lib/**/*.ts'],
  testRunner: 'jest',
  jest: {
    projectType: 'custom',
    config: jestConfig,
    // The folders above say it better: nearly every file of lib is related to nearly every test.
    enableFindRelatedTests: tests === undefined,
  },
  coverageAnalysis: 'perTest',
  // Each file of tests leaves a hook for promises behind in the process: after a hundred, most of the time goes there.
  maxTestRunnerReuse: 15,
  concurrency: 1,
  dryRunTimeoutMinutes: 20,
  // What a busy machine needs for a test is no mutant that hangs.
  timeoutMS: 60_000,
  thresholds: { high: 95, low: 90, break: 90 },
  ignorePatterns: ['build', 'dist', 'coverage', 'reports', '*/dist', 'bench', 'tools'],
  reporters: ['clear-text', 'progress', 'html'],
  htmlReporter: { fileName: 'reports/mutation.html' },
  clearTextReporter: { logTests: false, allowColor: false },
  allowConsoleColors: false,
  tempDirName: '.stryker-tmp',
};
