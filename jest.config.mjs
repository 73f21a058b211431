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
};
const endings = { '^(\\.{1,2}/.*)\\.js$': '$1' };
const express5 = { '^other-express$': 'express4' };
const express4 = { '^express$': 'express4', '^other-express$': '<rootDir>/node_modules/express' };

/**
 * The router's tests run four times: on both majors of Express, in a host that `http.createServer` made and in one that
 * `createAppServer` made. Everything that does not touch Express runs once.
 */
const project = (displayName, folders, { moduleNameMapper = {}, expressMajor = 5, serverKind = 'plain' } = {}) => ({
  displayName,
  rootDir: import.meta.dirname,
  testEnvironment: 'node',
  testMatch: folders.map((folder) => `<rootDir>/__tests__/${folder}/**/*.test.ts`),
  modulePathIgnorePatterns: [
    '<rootDir>/build',
    '<rootDir>/dist',
    '<rootDir>/.stryker-tmp',
    '<rootDir>/__tests__/consumers',
  ],
  transform,
  // No secret of a provider, a request or an endpoint may leave in any test of the router.
  setupFilesAfterEnv: folders.includes('router') ? ['<rootDir>/__tests__/support/router/watch-secret.ts'] : [],
  moduleNameMapper: { ...endings, ...moduleNameMapper },
  globals: { EXPRESS_MAJOR: expressMajor, SERVER_KIND: serverKind },
});

export default {
  projects: [
    project('express5', ['router'], { moduleNameMapper: express5 }),
    project('express4', ['router'], { moduleNameMapper: express4, expressMajor: 4 }),
    project('express5-app-server', ['router'], { moduleNameMapper: express5, serverKind: 'app-server' }),
    project('express4-app-server', ['router'], {
      moduleNameMapper: express4,
      expressMajor: 4,
      serverKind: 'app-server',
    }),
    project('node', [
      'endpoint',
      'options',
      'directory',
      'config',
      'listen',
      'client',
      'etcd',
      'dns-srv',
      'cli',
      'example',
      'bench',
      'hostile',
      'mutation',
    ]),
    project('package', ['package']),
    // Slow: against real engines, started by the tests. Alone: npx jest --selectProjects engines
    project('engines', ['engines']),
  ],
  reporters: ['default', '<rootDir>/__tests__/support/runner/left-out-reporter.mjs'],
  testTimeout: 30_000,
  collectCoverageFrom: ['lib/**/*.ts'],
  coverageThreshold: { global: { statements: 100, branches: 100, functions: 100, lines: 100 } },
};
