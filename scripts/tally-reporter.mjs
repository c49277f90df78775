// The one line after jest's own summary that any CI can read.
export default class TallyReporter {
  onRunComplete(_contexts, results) {
    const failed = results.numFailedTests + results.numRuntimeErrorTestSuites;
    process.stderr.write(`${results.numPassedTests} passed, ${failed} failed\n`);
  }
}
