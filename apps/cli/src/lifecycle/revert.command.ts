import { RevertCompaction } from '@app/application';
import { CompactionId } from '@app/kernel';
import type { Command } from 'commander';
import { reason } from '../options.js';
import { sessionCommand } from '../result-command.js';

type Options = { readonly reason: string };

/** Defines `palimpsest revert SESSION [COMPACTION]`, which undoes the newest compaction or reset. */
export const revertCommand = (): Command =>
  sessionCommand<Options, [string | undefined]>(
    'revert',
    'Revert the newest compaction or reset of a session',
    {
      details: 'Refused once the next turn has begun, and for a compaction that is not the newest.',
      json: '`session`, `compactionId`, `restored` (the compaction in force again, or `null`), `countedBefore`, `countedAfter`, `billedBefore`, `billedAfter`',
      guide: 'managing-sessions.md#undo',
    },
    async ({ ref, options, palimpsest, caller }, compaction) => {
      const request = {
        reason: options.reason,
        ...(compaction !== undefined && { compactionId: CompactionId(compaction) }),
      };
      const reverted = await palimpsest.commands.execute(new RevertCompaction(ref, request, caller));
      const { compactionId, restored, countedBefore, countedAfter, billedBefore, billedAfter } = reverted;
      const inForce =
        restored === null ? 'the whole history is in force again' : `${restored} is in force again`;
      return {
        json: {
          session: ref.session,
          compactionId,
          restored,
          countedBefore,
          countedAfter,
          billedBefore,
          billedAfter,
        },
        text: `${compactionId} is reverted: ${inForce}, ${billedBefore} billed tokens became ${billedAfter}`,
      };
    },
  )
    .argument('[compaction]', 'expected compaction; refused if another one is in force')
    .option('--reason <text>', 'why, for the audit', reason, 'asked for on the command line');
