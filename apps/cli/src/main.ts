import { reportError } from './output/report-error.js';
import { program } from './program.js';

// A reader that has seen enough (`| head`) is no error.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE') process.exit(0);
  throw error;
});

try {
  await program().parseAsync(process.argv);
} catch (error) {
  process.exitCode = reportError(error);
}
