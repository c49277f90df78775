import type { Tokens } from '@app/kernel';
import type { ReasoningReferences } from '../session/facts.js';
import type { CountedReinjection } from './reinjection/fit-reinjection.js';
import type { SummaryOutcome } from './verify.js';

/** A summary as it is to stand in the context, and what was done with the summarizer's output until then. */
export type FinishedSummary = SummaryOutcome & {
  readonly tokens: Tokens;
  readonly framedTokens: Tokens;
  /** What can be given again behind it, as far as there is room; absent where the policy wants none. */
  readonly reinjection?: CountedReinjection;
  /** What the framed one took before it was truncated, where it was. */
  readonly truncatedFrom?: Tokens;
  /** Where the output referred to reasoning. */
  readonly reasoning?: ReasoningReferences;
};
