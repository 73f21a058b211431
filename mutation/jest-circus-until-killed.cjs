const { default: circus } = require('jest-circus/runner');
const { createHash } = require('node:crypto');
const { mkdirSync, readFileSync, writeFileSync } = require('node:fs');
const { join } = require('node:path');

/** The mutant that a test has killed last. This module outlives the files of tests, which are loaded anew for each run. */
let killed;

/** What takes longer tries every byte of a conversation, or every place where one can break. It would take half of the time. */
const MAX_TEST_MS = 3000;

/**
 * For mutation testing: runs a file of tests unless it could tell nothing new. That is so when a file before it has killed the
 * mutant, and when none of its tests reaches the mutant: StrykerJS says which do by a pattern of names, and Jest would load the
 * file to see that none has such a name. A mutant that only a long test would kill counts as one that survives.
 */
module.exports = async function runUntilKilled(globalConfig, config, environment, runtime, testPath, sendMessage) {
  const mutant = process.env.__STRYKER_ACTIVE_MUTANT__;
  const firstRunFile = join(config.rootDir, '.first-run', createHash('sha1').update(testPath).digest('hex'));
  if (mutant !== undefined) {
    const tests = shortTests(firstRunFile);
    if (mutant === killed || !hasTest(tests, globalConfig.testNamePattern)) return leftOut(testPath);
    runOnly(environment, tests);
  }
  const result = await circus(globalConfig, config, environment, runtime, testPath, sendMessage);
  if (mutant === undefined) keepTests(firstRunFile, result);
  else if (result.numFailingTests > 0) killed = mutant;
  return result;
};

/** The short tests of a file, and none of them once one has failed. */
function runOnly(environment, tests) {
  const handle = environment.handleTestEvent?.bind(environment);
  let hasFailed = false;
  environment.handleTestEvent = async (event, state) => {
    await handle?.(event, state);
    if (event.name === 'test_fn_failure') hasFailed = true;
    if (event.name === 'test_start' && (hasFailed || !tests.includes(fullName(event.test)))) event.test.mode = 'skip';
  };
}

/** As Jest reports it: the names of all blocks around the test, without the nameless one around the file. */
function fullName({ name, parent }) {
  return parent?.parent === undefined ? name : `${fullName(parent)} ${name}`;
}

/** The first run is without a mutant, and of every file. The processes that try mutants share its folder. */
function keepTests(firstRunFile, { testResults }) {
  mkdirSync(join(firstRunFile, '..'), { recursive: true });
  const short = testResults.filter(({ duration }) => !(duration > MAX_TEST_MS));
  writeFileSync(firstRunFile, JSON.stringify(short.map((test) => test.fullName)));
}

function shortTests(firstRunFile) {
  return JSON.parse(readFileSync(firstRunFile, 'utf8'));
}

function hasTest(tests, testNamePattern) {
  if (testNamePattern === undefined) return tests.length > 0;
  const pattern = new RegExp(testNamePattern, 'i');
  return tests.some((name) => pattern.test(name));
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
