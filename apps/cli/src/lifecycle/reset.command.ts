import type { Command } from 'commander';
import { reason } from '../options.js';
import { countText } from '../output/value-text.js';
import { sessionCommand } from '../session-command.js';

type Options = { readonly confirm: boolean; readonly reason: string };

/** Defines `palimpsest reset SESSION --confirm`, which reduces the context to the user's current input. */
export const resetCommand = (): Command =>
  sessionCommand<Options>(
    'reset',
    'Reset the context of a session to the current user input',
    async ({ ref, options, palimpsest, caller }) => {
      const { confirm, reason } = options;
      const outcome = await palimpsest.reset(ref, { confirm, reason }, caller);
      const { session } = ref;
      if (!outcome) return { json: { session, reset: false }, text: 'there is nothing to clear' };
      const { compactionId, clearedMessages, countedBefore, countedAfter, billedBefore, billedAfter } =
        outcome;
      const sizes = { countedBefore, countedAfter, billedBefore, billedAfter };
      return {
        json: { session, reset: true, compactionId, clearedMessages, ...sizes },
        text: [
          `${countText(clearedMessages, 'message')} left the context: ${billedBefore} billed tokens became ${billedAfter}.`,
          `The log keeps them all; \`palimpsest revert ${session}\` brings them back.`,
        ].join('\n'),
      };
    },
  )
    .option('--confirm', 'confirm that the context is cleared', false)
    .option('--reason <text>', 'why, for the audit', reason, 'asked for on the command line');
