import { CompleteTurn } from '@app/application';
import type { Command } from 'commander';
import { stopReason } from '../options.js';
import { sessionCommand } from '../result-command.js';
import { compactionText, endedCompaction } from './ended-compaction.js';

type Options = { readonly reason: string };

/** Defines `palimpsest complete-turn SESSION`, which ends the turn and runs a compaction that waited for its end. */
export const completeTurnCommand = (): Command =>
  sessionCommand<Options>(
    'complete-turn',
    'Complete the current turn of a session',
    {
      details: 'Runs a compaction that waited for the end of the turn, and waits for its outcome.',
      json: '`session`, `turn`, `completed` (`false` without a turn in progress), `compaction` (as for `append`)',
      guide: 'compaction.md#waiting',
    },
    async (call) => {
      const { ref, options, palimpsest, caller } = call;
      const answer = await palimpsest.commands.execute(new CompleteTurn(ref, options.reason, caller));
      const { turn, completed, compactionId } = answer;
      const compaction = await endedCompaction(call, compactionId);
      return {
        json: { session: ref.session, turn, completed, compaction },
        text: completed ? `turn ${turn} has ended${compactionText(compaction)}` : 'no turn is going on',
      };
    },
  ).option('--reason <text>', 'why the turn ended', stopReason, 'end_turn');
