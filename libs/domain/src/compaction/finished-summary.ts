import type { Tokens } from '@app/kernel';
import type { ReasoningReferences } from '../session/facts.js';
import type { CountedReinjection } from './reinjection/reinjectable.js';
import type { SummaryOutcome } from './verify.js';

/** A summary in its final form, and the changes to the summarizer's output. */
export type FinishedSummary = SummaryOutcome & {
  readonly tokens: Tokens;
  readonly framedTokens: Tokens;
  /** Content to restore after the summary, as far as there is room; absent if the policy disables it. */
  readonly reinjection?: CountedReinjection;
  /** Size of the framed summary before it was truncated, if it was. */
  readonly truncatedFrom?: Tokens;
  /** Set if the output referred to reasoning. */
  readonly reasoning?: ReasoningReferences;
};
