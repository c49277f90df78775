import { createHash } from 'node:crypto';
import { nextPlan, type SessionState, summarizerMessage } from '@app/domain';
import { canonicalJson } from '@app/kernel';

/**
 * Returns the SHA-256 of everything that the summary of the requested compaction depends on, so that an auditor can compare the
 * inputs of two runs; an empty string if there is nothing to summarize.
 */
export const inputHash = (state: SessionState, contextLines: readonly string[]): string => {
  if (state.status !== 'open' || !state.compaction) return '';
  const { plan } = nextPlan(state, state.compaction);
  if (plan.kind === 'none') return '';
  const input = {
    messages: plan.covered.map(({ message }) => summarizerMessage(message, plan.removed)),
    previousSummary: plan.previousSummary,
    fileOperations: plan.fileOperations,
    instructions: state.compaction.instructions,
    // Without context lines, the hash equals that of versions without them.
    contextLines: contextLines.length > 0 ? contextLines : undefined,
    countedSummaryLimit: plan.countedSummaryLimit,
    stages: plan.stages,
  };
  return createHash('sha256').update(canonicalJson(input)).digest('hex');
};
