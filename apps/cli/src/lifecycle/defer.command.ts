import { DeferCompactions, ReleaseCompactions } from '@app/application';
import type { HoldUntil } from '@app/domain';
import { type Command, Option } from 'commander';
import { compactionText, endedCompaction } from '../messages/ended-compaction.js';
import { reason } from '../options.js';
import { sessionCommand } from '../result-command.js';

/**
 * Defines `palimpsest defer SESSION`, which delays automatic compactions until a request would be rejected without one.
 */
export const deferCommand = (): Command =>
  sessionCommand<{ readonly until: HoldUntil; readonly reason: string }>(
    'defer',
    'Defer automatic compactions of a session',
    {
      json: '`session`, `until`',
      examples: ['palimpsest defer SESSION --until turn-end --reason "deployment in progress"'],
      guide: 'compaction.md#waiting',
    },
    async ({ ref, options: { until, reason }, palimpsest, caller }) => {
      await palimpsest.commands.execute(new DeferCompactions(ref, { until, reason }, caller));
      const end = until === 'turn-end' ? 'the turn ends' : 'they are released';
      return {
        json: { session: ref.session, until },
        text: `automatic compactions of ${ref.session} wait until ${end}`,
      };
    },
  )
    .addOption(
      new Option('--until <when>', 'end of the deferral')
        .choices(['turn-end', 'released'])
        .makeOptionMandatory(),
    )
    .requiredOption('--reason <text>', 'why, for the audit', reason);

/** Defines `palimpsest release SESSION`, which ends a deferral and runs the delayed compaction. */
export const releaseCommand = (): Command =>
  sessionCommand<{ readonly reason: string }>(
    'release',
    'Resume automatic compactions of a session',
    {
      details: 'Runs a compaction that was deferred, and waits for its outcome.',
      json: '`session`, `released` (`false` if nothing was deferred), `compaction` (as for `append`)',
      guide: 'compaction.md#waiting',
    },
    async (call) => {
      const { ref, options, palimpsest, caller } = call;
      const answer = await palimpsest.commands.execute(new ReleaseCompactions(ref, options.reason, caller));
      const compaction = await endedCompaction(call, answer.compactionId);
      return {
        json: { session: ref.session, released: answer.released, compaction },
        text: answer.released
          ? `automatic compactions of ${ref.session} run again${compactionText(compaction)}`
          : `nothing of ${ref.session} was held`,
      };
    },
  ).option('--reason <text>', 'why, for the audit', reason, 'asked for on the command line');
