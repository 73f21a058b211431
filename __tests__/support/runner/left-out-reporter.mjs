/** A jest reporter: one line at the end of the run says which tests were left out, and why. No test is skipped unseen. */
export default class LeftOutReporter {
  constructor({ testNamePattern }) {
    this.chosenByName = Boolean(testNamePattern);
  }

  onRunComplete(_contexts, { testResults }) {
    if (this.chosenByName) return;
    const leftOut = testResults
      .flatMap(({ testResults: tests }) => tests)
      .filter(({ status }) => status !== 'passed' && status !== 'failed')
      .map(({ ancestorTitles, title }) => `${ancestorTitles.join(' > ')}: ${title}`);
    if (leftOut.length > 0) process.stderr.write(`\nLeft out (${leftOut.length}): ${leftOut.join('; ')}\n`);
  }
}
