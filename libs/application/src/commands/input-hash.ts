import { createHash } from 'node:crypto';
import { nextPlan, type SessionState, toldMessage } from '@app/domain';
import { canonicalJson } from '@app/kernel';

/**
 * SHA-256 of all that the summary of the requested compaction depends on, so that an auditor can tell whether two runs
 * had the same input; empty where nothing is to be summarized.
 */
export const inputHash = (state: SessionState, contextLines: readonly string[]): string => {
  if (state.status !== 'open' || !state.compaction) return '';
  const { plan } = nextPlan(state, state.compaction);
  if (plan.kind === 'none') return '';
  const input = {
    messages: plan.covered.map(({ message }) => toldMessage(message, plan.removed)),
    previousSummary: plan.previousSummary,
    fileOperations: plan.fileOperations,
    instructions: state.compaction.instructions,
    // Without lines it is what it was before there were any.
    contextLines: contextLines.length > 0 ? contextLines : undefined,
    countedSummaryLimit: plan.countedSummaryLimit,
    stages: plan.stages,
  };
  return createHash('sha256').update(canonicalJson(input)).digest('hex');
};
