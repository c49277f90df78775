import { ResetSession } from '@app/application';
import type { Command } from 'commander';
import { reason } from '../options.js';
import { countText } from '../output/value-text.js';
import { sessionCommand } from '../result-command.js';

type Options = { readonly confirm: boolean; readonly reason: string };

/** Defines `palimpsest reset SESSION --confirm`, which reduces the context to the user's current input. */
export const resetCommand = (): Command =>
  sessionCommand<Options>(
    'reset',
    'Reset the context of a session to the current user input',
    {
      details: 'Keeps the current input of the user. Without --confirm nothing is cleared.',
      json: '`session`, `reset` (`false` without anything to clear), `compactionId`, `clearedMessages`, `countedBefore`, `countedAfter`, `billedBefore`, `billedAfter`',
      guide: 'managing-sessions.md#reset',
    },
    async ({ ref, options, palimpsest, caller }) => {
      const { confirm, reason } = options;
      const outcome = await palimpsest.commands.execute(new ResetSession(ref, { confirm, reason }, caller));
      if (!outcome.reset) return { json: outcome, text: 'there is nothing to clear' };
      const { session, clearedMessages, billedBefore, billedAfter } = outcome;
      return {
        json: outcome,
        text: [
          `${countText(clearedMessages, 'message')} left the context: ${billedBefore} billed tokens became ${billedAfter}.`,
          `The log keeps them all; \`palimpsest revert ${session}\` brings them back.`,
        ].join('\n'),
      };
    },
  )
    .option('--confirm', 'confirm that the context is cleared', false)
    .option('--reason <text>', 'why, for the audit', reason, 'asked for on the command line');
