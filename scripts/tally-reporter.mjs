// The one line after jest's own summary that any CI can read. Jest prints its summary after all reporters have been
// told of the end, so the line waits for the end of the process.
export default class TallyReporter {
  onRunComplete(_contexts, results) {
    const failed = results.numFailedTests + results.numRuntimeErrorTestSuites;
    process.once('exit', () => process.stderr.write(`${results.numPassedTests} passed, ${failed} failed\n`));
  }
}
