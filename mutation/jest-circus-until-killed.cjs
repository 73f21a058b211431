const { default: circus } = require('jest-circus/runner');
const { createHash } = require('node:crypto');
const { existsSync, mkdirSync, readFileSync, writeFileSync } = require('node:fs');
const { join } = require('node:path');

/** The mutant that a test has killed last. This module outlives the files of tests, which are loaded anew for each run. */
let killed;

/**
 * For mutation testing: runs a file of tests unless it could tell nothing new. That is so when a file before it has killed the
 * mutant, and when none of its tests reaches the mutant: StrykerJS says which do by a pattern of names, and Jest would load the
 * file to see that none has such a name.
 */
module.exports = async function runUntilKilled(globalConfig, config, environment, runtime, testPath, sendMessage) {
  const mutant = process.env.__STRYKER_ACTIVE_MUTANT__;
  const namesFile = join(config.rootDir, '.names', createHash('sha1').update(testPath).digest('hex'));
  if (mutant !== undefined && (mutant === killed || !hasTest(namesFile, globalConfig.testNamePattern))) {
    return leftOut(testPath);
  }
  if (mutant !== undefined) stopAtFirstFailure(environment);
  const result = await circus(globalConfig, config, environment, runtime, testPath, sendMessage);
  if (mutant === undefined) keepNames(namesFile, result);
  else if (result.numFailingTests > 0) killed = mutant;
  return result;
};

function stopAtFirstFailure(environment) {
  const handle = environment.handleTestEvent?.bind(environment);
  let hasFailed = false;
  environment.handleTestEvent = async (event, state) => {
    await handle?.(event, state);
    if (event.name === 'test_fn_failure') hasFailed = true;
    if (event.name === 'test_start' && hasFailed) event.test.mode = 'skip';
  };
}

/** The first run is without a mutant, and of every file. The processes that try mutants share its folder. */
function keepNames(namesFile, { testResults }) {
  mkdirSync(join(namesFile, '..'), { recursive: true });
  writeFileSync(namesFile, JSON.stringify(testResults.map(({ fullName }) => fullName)));
}

function hasTest(namesFile, testNamePattern) {
  if (testNamePattern === undefined || !existsSync(namesFile)) return true;
  const pattern = new RegExp(testNamePattern, 'i');
  return JSON.parse(readFileSync(namesFile, 'utf8')).some((name) => pattern.test(name));
}

/** Jest takes a file without any test for a broken one. */
function leftOut(testFilePath) {
  const test = {
    ancestorTitles: [],
    failureDetails: [],
    failureMessages: [],
    fullName: testFilePath,
    title: testFilePath,
  };
  return {
    leaks: false,
    numFailingTests: 0,
    numPassingTests: 0,
    numPendingTests: 1,
    numTodoTests: 0,
    openHandles: [],
    perfStats: { start: 0, end: 0, runtime: 0, slow: false, loadTestEnvironmentStart: 0, loadTestEnvironmentEnd: 0 },
    skipped: false,
    snapshot: { added: 0, fileDeleted: false, matched: 0, unchecked: 0, uncheckedKeys: [], unmatched: 0, updated: 0 },
    testFilePath,
    testResults: [{ ...test, duration: 0, invocations: 0, numPassingAsserts: 0, retryReasons: [], status: 'pending' }],
  };
}
