import { availableParallelism } from 'node:os';

const transform = {
  '^.+\\.ts$': [
    'ts-jest',
    {
      tsconfig: {
        module: 'commonjs',
        moduleResolution: 'bundler',
        target: 'es2022',
        esModuleInterop: true,
        resolveJsonModule: true,
        isolatedModules: true,
      },
    },
  ],
  // As the build does it.
  '/lib/page/browser/.+\\.(?:js|css)$': '<rootDir>/__tests__/support/page/file-as-text.mjs',
};
const endings = { '^(\\.{1,2}/.*)\\.js$': '$1' };
const express5 = { '^other-express$': 'express4' };
const express4 = { '^express$': 'express4', '^other-express$': '<rootDir>/node_modules/express' };

/** The folders of tests that use the package as users get it: built, packed and installed. */
const USERS_OF_THE_PACKAGE = ['package', 'example', 'hostile', 'engines'];
/** The folders that are no tests of their own, or that have projects of their own below; every other one is in `node`. */
const NOT_IN_NODE = ['router', 'support', 'consumers', ...USERS_OF_THE_PACKAGE];

/** The router's tests that make servers of their own, or none: one kind of server is enough for them. */
const OF_NO_SERVER_KIND = '<rootDir>/__tests__/router/(app-server|http2|openapi-wrong-answers)\\.';

/** The other projects cover all of lib, and counting costs time. */
const WITHOUT_COVERAGE = { coveragePathIgnorePatterns: ['/lib/'] };

const testsIn = (folder) => `<rootDir>/__tests__/${folder}/**/*.test.ts`;

/**
 * What jest runs. A file named `*.long.test.ts` runs in the long run only, for it takes seconds, needs a program that not
 * everybody has installed, or tests no code of lib.
 */
export const configure = ({ isLongRun }) => {
  const ignored = (...more) => ['/node_modules/', ...more, ...(isLongRun ? [] : ['\\.long\\.test\\.ts$'])];
  const project = (displayName, folders, { moduleNameMapper = {}, globals = {}, ...more } = {}) => ({
    displayName,
    rootDir: import.meta.dirname,
    // Jest looks at every file below these once for each project.
    roots: ['<rootDir>/__tests__', '<rootDir>/lib'],
    testEnvironment: 'node',
    testMatch: folders.map(testsIn),
    testPathIgnorePatterns: ignored(),
    modulePathIgnorePatterns: ['<rootDir>/__tests__/consumers'],
    // What the project itself does not have.
    modulePaths: ['<rootDir>/tools/node_modules'],
    transform,
    moduleNameMapper: { ...endings, ...moduleNameMapper },
    globals: { IS_LONG_RUN: isLongRun, ...globals },
    ...more,
  });

  /** The router's tests run for each major of Express, in a host that `http.createServer` or `createAppServer` made. */
  const router = (displayName, expressMajor, serverKind) =>
    project(displayName, ['router'], {
      moduleNameMapper: expressMajor === 5 ? express5 : express4,
      globals: { EXPRESS_MAJOR: expressMajor, SERVER_KIND: serverKind },
      ...(serverKind === 'app-server' && { testPathIgnorePatterns: ignored(OF_NO_SERVER_KIND) }),
      ...(!(expressMajor === 5 && serverKind === 'plain') && WITHOUT_COVERAGE),
      // No secret of a provider, a request or an endpoint may leave in any test of the router.
      setupFilesAfterEnv: ['<rootDir>/__tests__/support/router/watch-secret.ts'],
    });

  const usersOfThePackage = {
    globalSetup: '<rootDir>/__tests__/support/package/start-build.mjs',
    globalTeardown: '<rootDir>/__tests__/support/package/remove-build.mjs',
    setupFilesAfterEnv: ['<rootDir>/__tests__/support/package/await-build.ts'],
    ...WITHOUT_COVERAGE,
  };

  return {
    projects: [
      router('express5', 5, 'plain'),
      router('express4', 4, 'plain'),
      ...(isLongRun
        ? [router('express5-app-server', 5, 'app-server'), router('express4-app-server', 4, 'app-server')]
        : []),
      project('node', ['*'], {
        testPathIgnorePatterns: ignored(`<rootDir>/__tests__/(${NOT_IN_NODE.join('|')})/`),
      }),
      project('package', USERS_OF_THE_PACKAGE, usersOfThePackage),
    ],
    reporters: ['default', '<rootDir>/__tests__/support/runner/left-out-reporter.mjs'],
    // More than cores, for tests wait half of their time, in the long run for engines and browsers.
    maxWorkers: Math.ceil(availableParallelism() * (isLongRun ? 2 : 1.5)),
    // Nothing but what hangs takes as long, on a busy machine either.
    testTimeout: isLongRun ? 600_000 : 180_000,
    collectCoverageFrom: ['lib/**/*.ts', '!lib/**/*.d.ts'],
    coverageReporters: ['text'],
    coverageThreshold: { global: { statements: 100, branches: 100, functions: 100, lines: 100 } },
  };
};

/** The quick run: what a change of lib can break. */
export default configure({ isLongRun: false });
