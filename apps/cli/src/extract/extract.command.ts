import { Command } from 'commander';
import { withNotes } from '../command-notes.js';
import { note, printLine } from '../output/print.js';
import { extractLines } from './extract-lines.js';

/** Defines `palimpsest extract`, which summarizes without a model, session or store: one line in, one line out. */
export const extractCommand = (): Command =>
  withNotes(new Command('extract'), {
    details:
      'Reads JSON lines `{id, budget, messages}` from the standard input and answers each by a line `{id, summary}`. Needs no model, session or server.',
    guide: 'extract.md',
  })
    .description(
      'Summarize without a model: JSON lines {id, budget, messages} from stdin, {id, summary} to stdout',
    )
    .action(async () => {
      for await (const result of extractLines(process.stdin)) {
        if ('answer' in result) await printLine(result.answer);
        else {
          note(`palimpsest: line ${result.line} is no question: ${result.refused} [invalid-message]`);
          process.exitCode = 1;
        }
      }
    });
