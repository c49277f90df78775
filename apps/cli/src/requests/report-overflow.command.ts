import { ReportOverflow } from '@app/application';
import type { OverflowAnswer } from '@app/contract';
import { defined } from '@app/kernel';
import type { Command } from 'commander';
import { statusCode } from '../options.js';
import { sessionCommand } from '../result-command.js';

type Options = { readonly message: string; readonly status?: number; readonly code?: string };

/**
 * Defines `palimpsest report-overflow SESSION --message TEXT`, which records a provider's rejection of a too large
 * request and triggers a compaction.
 */
export const reportOverflowCommand = (): Command =>
  sessionCommand<Options>(
    'report-overflow',
    'Report a request that the provider refused as too large',
    {
      details: 'Makes room if the request was too large.',
      json: '`session`, `outcome` (`compacted`, `ladder` or `not-an-overflow`), `compactionId` after a compaction',
      guide: 'composing.md#overflow',
    },
    async ({ ref, options: { message, status, code }, palimpsest, caller }) => {
      const error = { message, ...defined({ status, code }) };
      const answer = await palimpsest.commands.execute(new ReportOverflow(ref, error, caller));
      return { json: { session: ref.session, ...answer }, text: textOf(answer) };
    },
  )
    .requiredOption('--message <text>', 'error message of the provider')
    .option('--status <code>', 'HTTP status of the provider', statusCode)
    .option('--code <code>', 'error code of the provider, such as context_length_exceeded');

const textOf = (answer: OverflowAnswer): string => {
  switch (answer.outcome) {
    case 'compacted':
      return `${answer.compactionId} made room: compose the request again, one time`;
    case 'ladder':
      return 'no compaction made room: compose the request again, one time; the ladder shortens it';
    case 'not-an-overflow':
      return 'this error is no overflow, so nothing was done: a smaller request would fail, too';
  }
};
