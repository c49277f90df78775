import type { Cut, StageName, SummarizerIdentity, Trigger, Usage } from '@app/domain';
import type { CompactionId, MessageId, SessionId, TenantId, Tokens } from '@app/kernel';
import type { SummaryRequest } from './summarizer/summarizer.port.js';

type Concerned = {
  readonly tenantId: TenantId;
  readonly sessionId: SessionId;
  readonly compactionId: CompactionId;
};

/** What is going to be done, in ids and numbers: nothing of it is content of the session. */
export type PlannedCompaction = Concerned & {
  readonly trigger: Trigger;
  readonly turn: number;
  readonly profile: string;
  readonly stages: readonly StageName[];
  readonly instructions?: string;
  readonly cut: Cut;
  readonly covered: readonly MessageId[];
  readonly retained: number;
  readonly splitTurn: boolean;
  readonly countedBefore: Tokens;
  readonly target: Tokens;
  /** The longest summary that will be accepted, its frame included. */
  readonly countedSummaryLimit: Tokens;
  /** Of what a summary would be made of, context lines aside: another plan for the same compaction has another one. */
  readonly inputHash: string;
};

export type CompletedCompaction = Concerned & {
  readonly attempt: number;
  readonly worker: string;
  readonly trigger: Trigger;
  readonly turn: number;
  readonly cut: Cut | null;
  readonly covered: { readonly from: MessageId; readonly to: MessageId; readonly messages: number } | null;
  readonly countedBefore: Tokens;
  readonly countedAfter: Tokens;
  readonly billedBefore: Tokens;
  readonly billedAfter: Tokens;
  readonly target: Tokens;
  readonly summaryTokens: Tokens;
  readonly droppedOutputs: number;
  readonly fidelity?: number;
  readonly summarizer: SummarizerIdentity;
  readonly usage?: Usage;
  readonly durationMs: number;
};

export type FailedCompaction = Concerned & {
  readonly attempts: number;
  /** The rule that was broken last, or the class of the last error. */
  readonly rule: string;
};

/** What a hook wants of a compaction that is about to start. */
export type HookDecision =
  /**
   * It goes on, and `context` is what the summarizer is to know besides: lines without breaks, of 1,000 UTF-16 units at
   * most, and 20 of all hooks together. They are recorded.
   */
  | { readonly decision: 'continue'; readonly context?: readonly string[] }
  | { readonly decision: 'cancel'; readonly reason: string }
  /** Its own summary, in place of a summarizer's: Markdown with the sections of `REQUIRED_SECTIONS`. */
  | { readonly decision: 'summary'; readonly summary: string };

/**
 * Somebody who has a say in compactions, or wants to hear of them. Each method may be missing.
 *
 * Time: a call that takes longer than `timeLimitMs` is given up; `signal` ends it.
 * Errors: whatever it throws is logged by its class. By `onFailure` the compaction then goes on as if there were no hook, or
 * fails with the rule `hook-failed`.
 * Repetition: `before` is asked again where the session has gone on meanwhile, or another worker takes over; an outcome
 * is told once as a rule, and again only after a crash in between.
 * Privacy: `content` is the only argument with content of the session.
 */
export interface CompactionHook {
  /** As it stands beside summarizers: which hook it was that handed a summary in. */
  readonly name: string;
  readonly timeLimitMs: number;
  /**
   * What becomes of a compaction whose `before` throws, takes longer than `timeLimitMs`, or answers with something that no
   * compaction can be made of: `open` (the default) goes on without the hook, `closed` fails the compaction.
   */
  readonly onFailure?: 'open' | 'closed';
  before?(plan: PlannedCompaction, content: SummaryRequest, signal: AbortSignal): Promise<HookDecision>;
  after?(
    outcome: CompletedCompaction,
    content: { readonly summary: string | null },
    signal: AbortSignal,
  ): Promise<void>;
  failed?(outcome: FailedCompaction, signal: AbortSignal): Promise<void>;
}
