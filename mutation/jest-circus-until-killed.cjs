const { default: circus } = require('jest-circus/runner');

/** The mutant that a test has killed last. This module outlives the files of tests, which are loaded anew for each run. */
let killed;

/** For mutation testing: runs a file of tests, unless one before it has killed the mutant: then it could tell nothing new. */
module.exports = async function runUntilKilled(globalConfig, config, environment, runtime, testPath, sendMessage) {
  const mutant = process.env.__STRYKER_ACTIVE_MUTANT__;
  if (mutant !== undefined && mutant === killed) return leftOut(testPath);
  const result = await circus(globalConfig, config, environment, runtime, testPath, sendMessage);
  if (result.numFailingTests > 0) killed = mutant;
  return result;
};

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
