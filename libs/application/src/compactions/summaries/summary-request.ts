import {
  type Entry,
  FRAME_TOKENS_MAX,
  type Plan,
  retainedThen,
  toldMessage,
  type WayBack,
  type WireFormat,
  withoutUsersLines,
  withUsersLines,
} from '@app/domain';
import { type CompactionId, Tokens } from '@app/kernel';
import type { RepeatedRequest, SummaryRequest, TokenCounter } from '@app/ports';
import { keptUserLines } from './kept-user-lines.js';

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
  /** The rule that the attempt before has broken. */
  readonly brokenRule?: string | undefined;
  /** Of the room for the summary, what the summarizer may take, where facts from the log come behind it. */
  readonly share?: number;
  /** Composes the session's own request, where the policy wants it repeated. */
  readonly parent?: (format: WireFormat) => RepeatedRequest;
  /** What the user has said that stays word for word behind the summary, and the tokens that it takes. */
  readonly users: { readonly lines: readonly string[]; readonly tokens: number };
};

/** How the frame around the summary says that what is behind it is read back. */
export const wayBackIn = ({ plan }: Pick<SummaryTask, 'plan'>): WayBack =>
  plan.profile.recall ? 'tool' : 'route';

/** An attempt's task, with what the policy keeps of the user's words. */
export const summaryTask = (task: Omit<SummaryTask, 'users'>, counter: TokenCounter): SummaryTask => {
  const lines = keptUserLines(task.plan, counter);
  const tokens = lines.length > 0 ? counter.count(withUsersLines('', lines)) : 0;
  return { ...task, users: { lines, tokens } };
};

/** What a summarizer is asked for by a plan, in one call. */
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
    messages: toldIn(plan, plan.covered),
    splitPrefix: plan.splitPrefix.length,
    ...(previousSummary !== undefined && {
      previousSummary: withoutUsersLines(previousSummary, users.lines),
    }),
    retained: toldIn(plan, retainedThen(plan)),
    fileOperations: plan.fileOperations,
    ...(instructions !== undefined && { instructions }),
    ...(contextLines.length > 0 && { contextLines }),
    toolOutputs: plan.profile.toolOutputs,
    sizeMax: Tokens(Math.floor(room)),
    ...(brokenRule !== undefined && { brokenRule }),
  };
};

/** Messages as a summarizer reads them: without what a policy, a mark or a caller has removed. */
export const toldIn = ({ removed }: Plan, entries: readonly Entry[]): SummaryRequest['messages'] =>
  entries.map(({ message }) => toldMessage(message, removed));
