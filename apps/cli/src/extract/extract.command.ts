import { Command } from 'commander';
import { note, printLine } from '../output/print.js';
import { extractLines } from './extract-lines.js';

/** `palimpsest extract`: summaries without a model, a session, or a store; one line in, one line out. */
export const extractCommand = (): Command =>
  new Command('extract')
    .description(
      'Summarize without a model: JSON lines {id, budget, messages} from stdin, {id, summary} to stdout',
    )
    .action(async () => {
      for await (const came of extractLines(process.stdin)) {
        if ('answer' in came) await printLine(came.answer);
        else {
          note(`palimpsest: line ${came.line} is no question: ${came.refused} [invalid-message]`);
          process.exitCode = 1;
        }
      }
    });
