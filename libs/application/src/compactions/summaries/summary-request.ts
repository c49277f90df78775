import {
  type Entry,
  FRAME_TOKENS_MAX,
  type Plan,
  retainedThen,
  summarizerMessage,
  usersLines,
  usersLinesIn,
  type WayBack,
  type WireFormat,
  withoutUsersLines,
  withUsersLines,
} from '@app/domain';
import { type CompactionId, Tokens } from '@app/kernel';
import type { RepeatedRequest, SummaryRequest, TokenCounter } from '@app/ports';

/** Factor of the summary's length for each further attempt, since an oversized summary is the likeliest failure. */
const TIGHTER = 0.75;

/** Task of an attempt. */
export type SummaryTask = {
  readonly compactionId: CompactionId;
  readonly plan: Plan;
  /** From 1. */
  readonly attempt: number;
  readonly instructions: string | undefined;
  /** Additional lines of hooks for the summarizer. */
  readonly contextLines: readonly string[];
  /** The rule that the previous attempt has broken. */
  readonly brokenRule?: string | undefined;
  /** Share of the summary's tokens for the summarizer, if facts from the log follow. */
  readonly share?: number;
  /** Composes the session's own request, if the policy wants it repeated. */
  readonly parent?: (format: WireFormat) => RepeatedRequest;
  /** User messages that are kept verbatim after the summary, and their tokens. */
  readonly users: { readonly lines: readonly string[]; readonly tokens: number };
};

/** Returns how the frame of the summary describes access to the covered messages. */
export const readBackIn = ({ plan }: Pick<SummaryTask, 'plan'>): WayBack =>
  plan.profile.recall ? 'tool' : 'route';

/** Returns the task of an attempt, with the user messages that the policy keeps. */
export const summaryTask = (task: Omit<SummaryTask, 'users'>, counter: TokenCounter): SummaryTask => {
  const lines = keptUserLines(task.plan, counter);
  const tokens = lines.length > 0 ? counter.count(withUsersLines('', lines)) : 0;
  return { ...task, users: { lines, tokens } };
};

/** Returns the request of a plan for one call of a summarizer. */
export const summaryRequest = ({
  compactionId,
  plan,
  attempt,
  instructions,
  contextLines,
  brokenRule,
  share = 1,
  users,
}: SummaryTask): SummaryRequest => {
  const { previousSummary } = plan;
  const room =
    Math.max(0, plan.countedSummaryLimit - FRAME_TOKENS_MAX - users.tokens) *
    share *
    TIGHTER ** (attempt - 1);
  return {
    compactionId,
    messages: summarizerMessages(plan, plan.covered),
    splitPrefix: plan.splitPrefix.length,
    ...(previousSummary !== undefined && {
      previousSummary: withoutUsersLines(previousSummary, users.lines),
    }),
    retained: summarizerMessages(plan, retainedThen(plan)),
    fileOperations: plan.fileOperations,
    ...(instructions !== undefined && { instructions }),
    ...(contextLines.length > 0 && { contextLines }),
    toolOutputs: plan.profile.toolOutputs,
    sizeMax: Tokens(Math.floor(room)),
    ...(brokenRule !== undefined && { brokenRule }),
  };
};

/** Returns messages as a summarizer reads them, without content that a policy, a mark or a caller has removed. */
export const summarizerMessages = (
  { removed }: Plan,
  entries: readonly Entry[],
): SummaryRequest['messages'] => entries.map(({ message }) => summarizerMessage(message, removed));

/** Maximum share of the summary's tokens for verbatim user messages. */
const SHARE_MAX = 0.5;

/**
 * Returns the user messages that are kept verbatim with the summary, oldest first. They are selected newest first within the
 * policy's limit; a message that is too large for the remaining room is skipped and summarized.
 */
const keptUserLines = (plan: Plan, counter: TokenCounter): readonly string[] => {
  let left = Math.min(plan.profile.keepUserMessageTokens, Math.floor(plan.countedSummaryLimit * SHARE_MAX));
  if (left <= 0) return [];
  const known = usersLinesIn(plan.previousSummary ?? '');
  const covered = usersLines(plan.covered.map(({ message }) => message));
  const kept = [...known, ...covered].reverse().filter((line) => {
    const tokens = counter.count(line) + 1; // Plus the line break.
    if (tokens > left) return false;
    left -= tokens;
    return true;
  });
  return kept.reverse();
};
