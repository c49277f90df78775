import { ReportUsage } from '@app/application';
import type { UsageTaken } from '@app/contract';
import type { Usage } from '@app/domain';
import type { RequestId } from '@app/kernel';
import type { Command } from 'commander';
import { modelName } from '../options.js';
import { sessionCommand } from '../result-command.js';
import { requestIdFrom, usageFrom } from './usage-option.js';

type Options = { readonly usage: Usage; readonly request?: RequestId; readonly model?: string };

/** Defines `palimpsest report-usage SESSION --usage TOKENS`, which records usage that arrives after its answer. */
export const reportUsageCommand = (): Command =>
  sessionCommand<Options>(
    'report-usage',
    'Report the usage that a provider billed for a request',
    {
      json: '`session`, `recorded` (`false` for a second bill of one request), `requestId`, `countsFor` (`occupancy`, or `cost` alone), `occupancy` (billed tokens), `window`, `state`',
      examples: ['palimpsest report-usage SESSION --usage input=1200,cacheRead=800,output=90'],
      guide: 'models.md#bills',
    },
    async ({ ref, options: { usage, request, model }, palimpsest, caller }) => {
      const bill = { ...usage, ...(request !== undefined && { requestId: request }) };
      const taken = await palimpsest.commands.execute(new ReportUsage(ref, { usage: bill, model }, caller));
      return { json: { session: ref.session, ...taken }, text: textOf(taken) };
    },
  )
    .requiredOption('--usage <tokens>', 'billed tokens: input=…,output=…', usageFrom)
    .option('--request <id>', 'the billed request: its ID from compose', requestIdFrom)
    .option('--model <model>', 'the model that answered (default: the model of the session)', modelName);

const textOf = ({ recorded, requestId, countsFor, occupancy, window }: UsageTaken): string => {
  const now = `${occupancy} of ${window === 0 ? 'unlimited' : window} billed tokens`;
  if (!recorded) return `${requestId ?? 'the newest request'} has its bill: nothing was recorded; ${now}`;
  const pays = requestId === null ? 'recorded' : `recorded for ${requestId}`;
  return countsFor === 'cost' ? `${pays}: it counts for cost alone; ${now}` : `${pays}; ${now}`;
};
