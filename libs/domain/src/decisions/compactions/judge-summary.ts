import { Tokens } from '@app/kernel';
import { type Plan, retainedThen } from '../../compaction/plan.js';
import { verifySummary } from '../../compaction/verify.js';
import { checkQuotes, markUnfounded, UNFOUNDED_MARK_TOKENS } from '../../quotes/check-quotes.js';
import { type KnownUserText, knownUserText, type QuoteCheck } from '../../quotes/user-text.js';
import type { AttemptError, SessionEvent } from '../../session/events.js';
import type { OpenSession } from '../../session/state.js';
import type { CommandOf, FinishedSummary } from '../commands.js';

type Attempt = CommandOf<'CompleteCompaction'>['data'];
/** The result of checking a summary before the context is rebuilt: `error` is the first violated rule. */
export type Judgement = {
  /** Events about the summary that are recorded for accepted and rejected attempts. */
  readonly findings: readonly SessionEvent[];
  readonly error?: AttemptError;
  readonly quotes?: QuoteCheck;
  /** The final summary, with a mark after each unfounded quote. */
  readonly summary?: FinishedSummary;
};

/** Checks the summary by itself. A plan without a summary keeps the previous one. */
export const judgeSummary = (attempt: Attempt, session: OpenSession, plan: Plan): Judgement => {
  const { summary } = attempt;
  if (!summary) return { findings: [], ...(session.pivot?.quotes && { quotes: session.pivot.quotes }) };
  const findings = downgraded(attempt, summary);
  const broken = verifySummary(summary);
  if (broken) return { findings, error: broken };
  const said = saidBefore(session, plan);
  const quotes = checkQuotes(summary.text, said);
  const unfounded = plan.profile.unverifiedQuotes === 'reject' ? quotes.unfounded.length : 0;
  if (unfounded > 0) return { findings, error: unfoundedQuote(unfounded, quotes.checked), quotes };
  const { text, marks } = markUnfounded(summary.text, said);
  const framedTokens = Tokens(summary.framedTokens + marks * UNFOUNDED_MARK_TOKENS);
  const marked = { ...summary, text, framedTokens };
  const tooLong = sizeError(attempt, marked, plan);
  const sized = [...findings, ...oversize(attempt, marked, plan)];
  return tooLong ? { findings: sized, error: tooLong, quotes } : { findings: sized, quotes, summary: marked };
};

/** The user's words that a summary may quote. */
const saidBefore = (session: OpenSession, plan: Plan): KnownUserText => {
  const { covered, carried, previousSummary } = plan;
  const retained = retainedThen({ ...plan, carried: undefined });
  const messages = [...(carried ? [carried] : []), ...covered, ...retained].map(({ message }) => message);
  const earlier =
    previousSummary === undefined ? undefined : { summary: previousSummary, check: session.pivot?.quotes };
  return knownUserText(messages, earlier);
};

const unfoundedQuote = (unfounded: number, checked: number): AttemptError => ({
  rule: 'unfounded-quote',
  detail: `${unfounded} of ${checked} quotes of the user are not in the log`,
});

const downgraded = (
  { compactionId, attempt }: Attempt,
  { reasoning }: FinishedSummary,
): readonly SessionEvent[] =>
  reasoning && reasoning.marks + reasoning.blocks > 0
    ? [{ type: 'CompactionReasoningDowngraded', data: { compactionId, attempt, ...reasoning } }]
    : [];

/** A truncated summary was too long as well: only its last attempt lets it pass. */
const oversize = (
  { compactionId, attempt }: Attempt,
  { framedTokens, truncatedFrom }: FinishedSummary,
  { countedSummaryLimit }: Plan,
): readonly SessionEvent[] => {
  const tokens = truncatedFrom ?? framedTokens;
  if (tokens <= countedSummaryLimit) return [];
  return [
    {
      type: 'CompactionSummaryExceededLimit',
      data: { compactionId, attempt, tokens, countedLimit: countedSummaryLimit },
    },
  ];
};

const sizeError = (
  { attempt }: Attempt,
  { framedTokens, truncatedFrom }: FinishedSummary,
  { countedSummaryLimit, profile }: Plan,
): AttemptError | undefined => {
  const isAllowed = truncatedFrom === undefined || mayTruncate(attempt, profile);
  if (framedTokens <= countedSummaryLimit && isAllowed) return undefined;
  const tokens = truncatedFrom ?? framedTokens;
  return {
    rule: 'oversize',
    detail: `the summary takes ${tokens} tokens, at most ${countedSummaryLimit} allowed`,
  };
};

/**
 * Returns whether truncation is allowed: an oversize summary is requested again, shorter, and truncated only in the
 * last attempt.
 */
export const mayTruncate = (
  attempt: number,
  { maxAttempts }: Pick<Plan['profile'], 'maxAttempts'>,
): boolean => attempt >= maxAttempts;
