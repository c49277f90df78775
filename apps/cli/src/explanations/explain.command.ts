import { ExplainCompaction } from '@app/application';
import { CompactionId } from '@app/kernel';
import type { Command } from 'commander';
import { parser } from '../options.js';
import { sessionCommand } from '../result-command.js';
import { renderExplanation } from './views/render-explanation.js';

/** Defines `palimpsest explain SESSION COMPACTION`, which shows a compaction's cause, effect and later changes. */
export const explainCommand = (): Command =>
  sessionCommand<object, [CompactionId]>(
    'explain',
    'Explain a compaction: trigger, cut and result',
    {
      details: 'Explains resets and forks too.',
      json: '`session`, `compactionId`, `kind`; of a compaction `outcome`, `why`, `plan`, `turns`, `attempts`, `lateResults`, `verified`, `covered`, `previous`, `droppedOutputs`',
      guide: 'audit.md#explain-a-compaction',
    },
    async ({ ref, palimpsest }, compaction) => {
      const query = new ExplainCompaction(ref, compaction);
      const explanation = await palimpsest.queries.execute(query);
      return { json: explanation, text: renderExplanation(explanation) };
    },
  ).argument('<compaction>', 'its id, as `palimpsest audit` and `context` name it', compactionId);

const compactionId = parser(CompactionId);
