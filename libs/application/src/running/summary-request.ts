import { FRAME_TOKENS_MAX, type Plan } from '@app/domain';
import { type CompactionId, Tokens } from '@app/kernel';
import type { SummaryRequest } from '@app/ports';

/** Each further attempt asks for a shorter summary: one that was too long is the likeliest failure. */
const TIGHTER = 0.75;

type Input = {
  readonly compactionId: CompactionId;
  readonly plan: Plan;
  /** From 1. */
  readonly attempt: number;
  readonly instructions: string | undefined;
};

/** What a summarizer is asked for by a plan. */
export const summaryRequest = ({ compactionId, plan, attempt, instructions }: Input): SummaryRequest => {
  const room = Math.max(0, plan.summaryMax - FRAME_TOKENS_MAX) * TIGHTER ** (attempt - 1);
  return {
    compactionId,
    messages: plan.covered.map((entry) => entry.message),
    splitPrefix: plan.splitPrefix.length,
    ...(plan.previousSummary !== undefined && { previousSummary: plan.previousSummary }),
    retained: plan.retained.map((entry) => entry.message),
    fileOperations: plan.fileOperations,
    ...(instructions !== undefined && { instructions }),
    toolOutputs: plan.profile.toolOutputs,
    sizeMax: Tokens(Math.floor(room)),
  };
};
