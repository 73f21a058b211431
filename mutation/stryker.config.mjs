import config from '../jest.config.mjs';

/** The folder of lib whose mutants are tried, against the tests of that folder alone. */
const folder = process.env.FOLDER ?? 'router';
/** The router's tests run in a project of their own, once for each host; one of them is enough here. */
const name = folder === 'router' ? 'express5' : 'node';
// Without its root: StrykerJS runs the tests in a copy of the package.
const { rootDir, ...project } = config.projects.find(({ displayName }) => displayName === name);

export default {
  mutate: [`lib/${folder}/*.ts`],
  testRunner: 'jest',
  jest: {
    projectType: 'custom',
    config: {
      ...project,
      // StrykerJS merges this into jest.config.mjs, whose projects would run every test once each.
      projects: [],
      testRunner: './mutation/jest-circus-until-killed.cjs',
      testMatch: [`<rootDir>/__tests__/${folder}/**/*.test.ts`],
      testTimeout: config.testTimeout,
    },
  },
  coverageAnalysis: 'perTest',
  concurrency: 2,
  timeoutMS: 10_000,
  ignorePatterns: ['dist', 'coverage', 'reports', 'example', 'bench'],
  reporters: ['clear-text', 'progress', 'html', 'json'],
  htmlReporter: { fileName: `reports/mutation/${folder}.html` },
  jsonReporter: { fileName: `reports/mutation/${folder}.json` },
  clearTextReporter: { logTests: false, allowColor: false },
  tempDirName: `.stryker-tmp/${folder}`,
};
