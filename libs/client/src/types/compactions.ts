import type { Usage } from '../messages/message.js';
import type { SummarizerIdentity } from './explanations.js';
import type { Cost } from './models.js';
import type {
  AttemptError,
  BudgetState,
  Cut,
  ExplainedFidelity,
  ProtectionYield,
  RetentionRule,
  SkipReason,
  StageName,
  Trigger,
  TurnRetention,
} from './shared.js';

export type WhatIfOutcome =
  | {
      readonly profile: string;
      /** Whether it is the session's policy, with all that has been changed of it. */
      readonly isOwn: boolean;
      readonly plan: PlanSizes;
      readonly trial: TrialResult;
    }
  | {
      readonly profile: string;
      /** Whether it is the session's policy, with all that has been changed of it. */
      readonly isOwn: boolean;
      readonly plan: null;
      readonly reason: SkipReason;
    };
/** A plan by its sizes, so that several can stand side by side. */
export type PlanSizes = {
  readonly cut: Cut;
  /** The stages that will run. */
  readonly stages: readonly StageName[];
  readonly countedBefore: number;
  /** The longest summary that makes this worth while. */
  readonly countedSummaryLimit: number;
  readonly splitTurn: boolean;
  readonly covered: { readonly messages: number; readonly tokens: number };
  readonly retained: number;
  readonly droppedOutputs: { readonly outputs: number; readonly freed: number };
  /** The most that would be left. */
  readonly countedAfterMax: number;
  readonly billedBefore: number;
  readonly billedAfterMax: number;
  /** How many turns each rule would apply to. */
  readonly turns: Readonly<Record<RetentionRule, number>>;
};
/** What came of a run without a model, of which nothing is recorded; `refused` is the rule that its result broke. */
export type TrialResult =
  | {
      readonly countedAfter: number;
      readonly billedAfter: number;
      readonly summaryTokens: number;
      readonly fidelity: null | ExplainedFidelity;
    }
  | { readonly refused: string };
export type RequestedCompaction =
  | { readonly status: 'deferred'; readonly compactionId: string }
  | { readonly status: 'requested' | 'joined'; readonly compactionId: string }
  | { readonly status: 'skipped'; readonly compactionId: string; readonly reason: SkipReason };
export type Reverted = {
  readonly compactionId: string;
  /** The compaction that is in force again; `null` where there was none before. */
  readonly restored: null | string;
  readonly reason: string;
  readonly countedBefore: number;
  readonly countedAfter: number;
  readonly billedBefore: number;
  readonly billedAfter: number;
  /** Messages before the context that is in force again, the one of them that it carries, and its compactions. */
  readonly messagesBefore: number;
  readonly carried: null | string;
  readonly compactions: number;
};
/** Files that tool calls read, changed, deleted and renamed, oldest first. */
export type FileOperations = {
  readonly read: readonly string[];
  readonly modified: readonly string[];
  /** Absent without any, as `renamed` is. */
  readonly deleted?: readonly string[];
  readonly renamed?: readonly { readonly from: string; readonly to: string }[];
};
export type OutcomeView =
  | {
      readonly outcome: 'completed';
      readonly compactionId: string;
      readonly trigger: Trigger;
      readonly attempts: number;
      readonly countedBefore: number;
      readonly countedAfter: number;
      readonly billedBefore: number;
      readonly billedAfter: number;
      readonly target: number;
      readonly targetRaised: null | { readonly from: number; readonly reason: string };
      /** Why what the profile protects does not stay whole; `null` where it does. */
      readonly protection: null | ProtectionYield;
      /** What wrote the summary; `deterministic` says whether the same input gives the same summary again. */
      readonly summarizer: SummarizerIdentity;
      /** Of the attempt whose result is in force; `null` where nothing was billed. */
      readonly usage: null | Usage;
      readonly cost: null | Cost;
      readonly durationMs: number;
      /** The first message that stays in full; `null` where none does. */
      readonly retainedFrom: null | string;
      readonly coveredMessages: number;
      readonly fileOperations: FileOperations;
      readonly fidelity: null | {
        readonly score: number;
        readonly keys: number;
        readonly missingKeys: null | number;
      };
      readonly retention: readonly TurnRetention[];
      readonly summary: null | string;
    }
  | {
      readonly compactionId: string;
      readonly attempts: number;
      readonly error: AttemptError;
      readonly outcome: 'failed';
    }
  | {
      readonly compactionId?: string;
      readonly trigger: Trigger;
      readonly reason: SkipReason;
      readonly outcome: 'skipped';
    }
  | {
      readonly compactionId: string;
      readonly by: 'reset' | 'revert' | 'close' | 'caller' | 'hook';
      readonly reason: string;
      readonly outcome: 'cancelled';
    };
export type PlanView =
  | {
      readonly plan: {
        readonly countedSummaryLimit: number;
        readonly retention: readonly TurnRetention[];
        readonly protection?: ProtectionYield;
        readonly targetRaised?: { readonly from: number; readonly reason: string };
        readonly profile: string;
        readonly stages: readonly StageName[];
        readonly cut: Cut;
        readonly splitTurn: boolean;
        readonly covered: {
          readonly messages: number;
          readonly from: null | string;
          readonly to: null | string;
        };
        readonly retained: number;
        readonly droppedOutputs: number;
        readonly countedBefore: number;
        readonly billedBefore: number;
        readonly billedTarget: number;
        readonly target: number;
      };
    }
  | { readonly plan: null; readonly reason: SkipReason };
export type WhatIfView = {
  readonly tokens: number;
  readonly window: number;
  readonly state: BudgetState;
  /** One that is asked for or under way: another request would join it. */
  readonly inFlight: null | string;
  readonly outcomes: readonly WhatIfOutcome[];
};
export type CompactionSummary = {
  readonly compactionId: string;
  readonly trigger: string;
  readonly turn: number;
  readonly profile: string;
  /** Who asked. */
  readonly actor: string;
  readonly attempts: number;
  /** `null` while it is open. */
  readonly outcome: null | string;
  /** The rule that it was skipped by, or the error that it failed with. */
  readonly reason: null | string;
  readonly countedBefore: null | number;
  readonly countedAfter: null | number;
  readonly billedBefore: null | number;
  readonly billedAfter: null | number;
  readonly coveredMessages: null | number;
  /** How much of what was covered the context still holds, from 0 to 1; `null` where nothing was, or nobody measured. */
  readonly fidelity: null | number;
  readonly summarizer: null | string;
  readonly requestedAt: string;
  readonly endedAt: null | string;
};
