// Prints one machine-readable line after jest's own summary. Jest prints its summary after all reporters have finished,
// so the line is printed when the process exits.
export default class TallyReporter {
  onRunComplete(_contexts, results) {
    const failed = results.numFailedTests + results.numRuntimeErrorTestSuites;
    process.once('exit', () => process.stderr.write(`${results.numPassedTests} passed, ${failed} failed\n`));
  }
}
