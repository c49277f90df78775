// Prints one machine-readable line after jest's own summary. Jest prints its summary after all reporters have finished,
// so the line is printed when the process exits.
import { writeFileSync } from 'node:fs';
import { relative } from 'node:path';

/** Seconds. Files that usually take less have the least time limit (scripts/time-limit.mjs). */
const LISTED_FROM = 12;

export default class TallyReporter {
  onRunComplete(_contexts, results) {
    const failed = results.numFailedTests + results.numRuntimeErrorTestSuites;
    if (process.env.UPDATE_USUAL_TIMES) writeUsualTimes(results.testResults);
    process.once('exit', () => process.stderr.write(`${results.numPassedTests} passed, ${failed} failed\n`));
  }
}

/** For `scripts/time-limit.mjs`; of a run of all files on a machine that does nothing else. */
const writeUsualTimes = (files) => {
  const times = files
    .map(({ testFilePath, perfStats }) => [
      relative(process.cwd(), testFilePath),
      Math.ceil(perfStats.runtime / 1_000),
    ])
    .filter(([, seconds]) => seconds > LISTED_FROM)
    .sort(([one], [other]) => (one < other ? -1 : 1));
  writeFileSync('test/usual-times.json', `${JSON.stringify(Object.fromEntries(times), undefined, 2)}\n`);
};
