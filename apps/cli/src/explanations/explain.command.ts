import { ExplainCompaction } from '@app/application';
import { CompactionId } from '@app/kernel';
import { type Command, InvalidArgumentError } from 'commander';
import { sessionCommand } from '../session-command.js';
import { renderExplanation } from './views/render-explanation.js';

/** `palimpsest explain SESSION COMPACTION`: why it was, what it did, and what has become of it. */
export const explainCommand = (): Command =>
  sessionCommand(
    'explain',
    'Explain a compaction: trigger, cut and result',
    async ({ ref, words: [compaction = ''], palimpsest }) => {
      const query = new ExplainCompaction(ref, CompactionId(compaction));
      const explanation = await palimpsest.queries.execute(query);
      return { json: explanation, text: renderExplanation(explanation) };
    },
  ).argument('<compaction>', 'its id, as `palimpsest audit` and `context` name it', compactionId);

const compactionId = (text: string): CompactionId => {
  try {
    return CompactionId(text);
  } catch {
    throw new InvalidArgumentError('not a valid compaction id');
  }
};
