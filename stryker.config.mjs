import { configure } from './jest.config.mjs';

/** StrykerJS runs the tests in copies of the package: their root is not here. */
const withoutRoot = ({ rootDir: _, ...project }) => project;
const { projects, ...quick } = configure({ isLongRun: false });

/**
 * `npm run mutation`: tries changes to lib against the quick tests, and fails when too many of them go unnoticed. For a part of
 * lib: `npm run mutation -- --mutate 'lib/endpoint/*.ts'`.
 *
 * A change that no test can notice has a comment before its line: `// Stryker disable next-line <mutator>: reason`.
 */
export default {
  mutate: ['lib/**/*.ts'],
  testRunner: 'jest',
  jest: {
    projectType: 'custom',
    config: {
      ...quick,
      reporters: [],
      // The router's tests on one host; those of the built package would not see the change.
      projects: projects.filter(({ displayName }) => ['express5', 'node'].includes(displayName)).map(withoutRoot),
    },
  },
  coverageAnalysis: 'perTest',
  dryRunTimeoutMinutes: 20,
  thresholds: { high: 95, low: 90, break: 90 },
  ignorePatterns: ['build', 'dist', 'coverage', 'reports', '*/dist'],
  reporters: ['clear-text', 'progress', 'html'],
  htmlReporter: { fileName: 'reports/mutation.html' },
  clearTextReporter: { logTests: false, allowColor: false },
  allowConsoleColors: false,
  tempDirName: '.stryker-tmp',
};
