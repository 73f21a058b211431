import config from '../jest.config.mjs';

/** The folder of lib whose mutants are tried, against the tests of that folder alone. */
const folder = process.env.FOLDER ?? 'router';
/** Where the tests of a folder are not in the folder of that name alone. */
const TESTS = {
  options: ['router/options', 'client/fetch-options', 'server/listen/arguments'],
  'server/listen': ['server/listen/**/*', 'router/app-server'],
};
const tests = TESTS[folder] ?? [`${folder}/**/*`];
/** The router's tests run in a project of their own, once for each host; one of them is enough here. */
const name = tests.some((path) => path.startsWith('router/')) ? 'express5' : 'node';
// Without its root: StrykerJS runs the tests in a copy of the package.
const { rootDir, ...project } = config.projects.find(({ displayName }) => displayName === name);

export default {
  // The few modules at the top of lib belong to the router; the version is compared with package.json by a test of the package.
  mutate: [`lib/${folder}/*.ts`, ...(folder === 'router' ? ['lib/*.ts', '!lib/version.ts'] : [])],
  testRunner: 'jest',
  jest: {
    projectType: 'custom',
    // The tests of a folder are few enough; to find out which of them load a module takes longer than to leave them out.
    enableFindRelatedTests: false,
    config: {
      ...project,
      // StrykerJS merges this into jest.config.mjs, whose projects would run every test once each.
      projects: [],
      testSequencer: './mutation/shortest-first.cjs',
      testRunner: './mutation/jest-circus-until-killed.cjs',
      testMatch: tests.map((path) => `<rootDir>/__tests__/${path}.test.ts`),
      // A mutant that never answers is killed by a test that gives up, which costs less than a new process.
      testTimeout: folder === 'router' ? 4000 : config.testTimeout,
    },
  },
  coverageAnalysis: 'perTest',
  concurrency: 2,
  timeoutMS: 6000,
  ignorePatterns: ['.stryker-tmp', 'build', 'dist', 'coverage', 'reports', 'example', 'bench'],
  reporters: ['clear-text', 'progress', 'html', 'json'],
  htmlReporter: { fileName: `reports/mutation/${folder}.html` },
  jsonReporter: { fileName: `reports/mutation/${folder}.json` },
  clearTextReporter: { logTests: false, allowColor: false },
  tempDirName: `.stryker-tmp/${folder}`,
};
