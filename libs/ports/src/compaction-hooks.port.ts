import type { Cut, StageName, SummarizerIdentity, Trigger, Usage } from '@app/domain';
import type { CompactionId, MessageId, SessionId, TenantId, Tokens } from '@app/kernel';
import type { SummaryRequest } from './summarizer/summarizer.port.js';

type Concerned = {
  readonly tenantId: TenantId;
  readonly sessionId: SessionId;
  readonly compactionId: CompactionId;
};

/** The plan in ids and numbers, without content of the session. */
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
  /** Hash of the summarizer's input without context lines: a new plan for the same compaction has a new hash. */
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

/** The decision of a hook about a compaction that is about to start. */
export type HookDecision =
  /**
   * Continues; `context` are lines for the summarizer's input: without line breaks, at most 1,000 UTF-16 units each,
   * at most 20 of all hooks together. They are recorded.
   */
  | { readonly decision: 'continue'; readonly context?: readonly string[] }
  | { readonly decision: 'cancel'; readonly reason: string }
  /** Its own summary, in place of a summarizer's: Markdown with the sections of `REQUIRED_SECTIONS`. */
  | { readonly decision: 'summary'; readonly summary: string };

/**
 * A hook that decides about compactions, or is notified of their outcomes. Each method is optional.
 * Time: a call fails after `timeLimitMs`; `signal` aborts it. Errors: any error is logged by its class. Depending on
 * `onFailure` the compaction then continues without the hook, or fails with the rule `hook-failed`. Repetition:
 * `before` is called again if the session has changed or another worker takes over; an outcome is reported once, and
 * again only after a crash. Privacy: `content` is the only argument with content of the session.
 */
export interface CompactionHook {
  /** The name of the hook, recorded as the summarizer of its summaries. */
  readonly name: string;
  readonly timeLimitMs: number;
  /**
   * The effect of a `before` that throws, times out, or returns an invalid decision: `open` (default) continues
   * without the hook, `closed` fails the compaction.
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
