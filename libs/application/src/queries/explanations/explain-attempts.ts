import type { CompactionExplanation, ExplainedAttempt } from '@app/contract';
import { pick } from '@app/kernel';
import type { CompactionStory } from './compaction-story.js';
import { eventsOf } from './compaction-story.js';

/** Returns the attempts of a compaction with their outcomes. */
export const explainAttempts = (story: CompactionStory): readonly ExplainedAttempt[] => {
  const failed = eventsOf(story, 'CompactionAttemptFailed');
  const completed = eventsOf(story, 'CompactionCompleted');
  const oversize = eventsOf(story, 'CompactionSummaryExceededLimit');
  const noGain = eventsOf(story, 'CompactionYieldedNoGain');
  const downgraded = eventsOf(story, 'CompactionReasoningDowngraded');
  const isCancelled = eventsOf(story, 'CompactionCancelled').length > 0;
  return eventsOf(story, 'CompactionStarted').map(({ revision, at, data }): ExplainedAttempt => {
    const isThis = (one: { readonly data: { readonly attempt: number } }): boolean =>
      one.data.attempt === data.attempt;
    const failure = failed.find(isThis)?.data;
    const result = completed.find(isThis)?.data;
    const { tokens, countedLimit } = oversize.find(isThis)?.data ?? {};
    const small = noGain.find(isThis)?.data;
    const reasoning = downgraded.find(isThis)?.data;
    const open = isCancelled ? 'given-up' : 'running';
    return {
      revision,
      at,
      ...pick(data, 'attempt', 'worker', 'summarizer', 'inputHash'),
      contextLines: data.contextLines?.length ?? 0,
      ...pick(data, 'countedBefore', 'billedBefore', 'target', 'coveredMessages', 'coveredTokens'),
      outcome: result ? 'completed' : failure ? 'failed' : open,
      error: failure?.error ?? null,
      usage: result?.usage ?? failure?.usage ?? null,
      cost: result?.cost ?? failure?.cost ?? null,
      oversize: tokens === undefined || countedLimit === undefined ? null : { tokens, countedLimit },
      noGain: small
        ? {
            ...pick(small, 'countedBefore', 'countedAfter', 'countedLimit'),
          }
        : null,
      reasoning: reasoning ? { marks: reasoning.marks, blocks: reasoning.blocks } : null,
      retryAt: failure?.retryAt ?? null,
    };
  });
};

/** Returns results that arrived after that of another worker. */
export const lateResults = (story: CompactionStory): CompactionExplanation['lateResults'] =>
  eventsOf(story, 'CompactionDuplicated').flatMap(({ data: { attempt, worker, usage, cost, provider } }) =>
    provider ? [] : [{ attempt, worker, usage: usage ?? null, cost: cost ?? null }],
  );

/** Returns the provider's context edits in the turn of the compaction. */
export const besideProvider = (story: CompactionStory): CompactionExplanation['besideProvider'] =>
  eventsOf(story, 'CompactionDuplicated').flatMap(({ revision, at, data: { usage, cost, provider } }) =>
    provider ? [{ revision, at, ...provider, usage: usage ?? null, cost: cost ?? null }] : [],
  );
