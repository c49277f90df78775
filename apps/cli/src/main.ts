import { flushed } from './output/flushed.js';
import { reportError } from './output/report-error.js';
import { program } from './program.js';

process.stderr.on('error', () => {}); // The reader of stderr is gone.

let exitCode: number | undefined;
try {
  await program().parseAsync(process.argv);
  await flushed();
} catch (error) {
  exitCode = reportError(error);
}
// All resources are closed; handles that a library keeps open must not delay the exit.
process.exit(exitCode ?? process.exitCode);
