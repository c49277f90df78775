import { type Entry, FRAME_TOKENS_MAX, type Plan } from '@app/domain';
import { type CompactionId, Tokens } from '@app/kernel';
import type { SummaryRequest } from '@app/ports';

/** Each further attempt asks for a shorter summary: one that was too long is the likeliest failure. */
const TIGHTER = 0.75;

/** What an attempt has to do. */
export type SummaryTask = {
  readonly compactionId: CompactionId;
  readonly plan: Plan;
  /** From 1. */
  readonly attempt: number;
  readonly instructions: string | undefined;
  /** What hooks want the summarizer to know besides. */
  readonly contextLines: readonly string[];
};

/** What a summarizer is asked for by a plan, in one call. */
export const summaryRequest = ({
  compactionId,
  plan,
  attempt,
  instructions,
  contextLines,
}: SummaryTask): SummaryRequest => {
  const room = Math.max(0, plan.summaryMax - FRAME_TOKENS_MAX) * TIGHTER ** (attempt - 1);
  return {
    compactionId,
    messages: messagesOf(plan.covered),
    splitPrefix: plan.splitPrefix.length,
    ...(plan.previousSummary !== undefined && { previousSummary: plan.previousSummary }),
    retained: messagesOf([...(plan.carried ? [plan.carried] : []), ...plan.retained]),
    fileOperations: plan.fileOperations,
    ...(instructions !== undefined && { instructions }),
    ...(contextLines.length > 0 && { contextLines }),
    toolOutputs: plan.profile.toolOutputs,
    sizeMax: Tokens(Math.floor(room)),
  };
};

const messagesOf = (entries: readonly Entry[]): SummaryRequest['messages'] =>
  entries.map((entry) => entry.message);
