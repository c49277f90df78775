import type {
  CompactionId,
  IsoTime,
  MessageId,
  Milliseconds,
  NonEmpty,
  Positive,
  Revision,
  Several,
  Tokens,
} from '@app/kernel';
import type { BudgetState } from '../../budget/limits.js';
import type { Fidelity } from '../../fidelity/fidelity.js';
import type { OfSubjects } from '../../message/subjects.js';
import type { Profile, StageName } from '../../profiles/profile.js';
import type { QuoteCheck } from '../../quotes/user-text.js';
import type {
  AttemptError,
  AutomaticTrigger,
  CountTrigger,
  Cut,
  DroppedOutput,
  FileOperations,
  ImportedCompaction,
  NativeCompaction,
  PaidUsage,
  ProtectionYield,
  RaisedTarget,
  ReasoningReferences,
  Reinjected,
  RequestSizes,
  SkipReason,
  SummarizerIdentity,
  ThresholdName,
  Trigger,
} from '../facts.js';
import type { TurnRetention } from '../retention.js';
import type { OpeningState } from './opening-state.js';
import type { ProviderEditSummary } from './provider-events.js';

type Crossing = {
  /** Billed tokens of the next request. */
  occupancy: Tokens;
  threshold: Tokens;
  window: Tokens;
  turn: number;
  /** Counted tokens of the contributions to the next request, if they changed. */
  contributed?: Tokens;
};

/** An attempt of a worker to carry out a compaction. */
type Attempt = { readonly compactionId: CompactionId; readonly attempt: number };

/** The intended size. */
type Goal = {
  /** Counted tokens. */
  readonly target: Tokens;
  /** Set if the target is not the policy's, with the reason. */
  readonly targetRaised?: RaisedTarget;
  /** The kept part of the protected content, if it cannot be kept in full. */
  readonly protection?: ProtectionYield;
};

/**
 * The plan of a compaction, made for the session at the time of the request: each attempt follows it regardless of
 * later messages.
 */
export type RequestedPlan = Goal & {
  readonly stages: readonly StageName[];
  readonly cut: Cut;
  /** Number of messages in the covered range. */
  readonly coveredMessages: number;
  /** Counted tokens of the request without the compaction. */
  readonly countedBefore: Tokens;
  /** Messages that the session had, and its turn. */
  readonly messages: number;
  readonly turn: number;
};

/** Data of events by type. */
export type CompactionEvents = {
  /** Occupancy has reached `warnAtShare`. */
  WarningThresholdReached: Crossing;
  /** Occupancy has reached `requireAtShare`. */
  CompactionRequired: Crossing;
  /** Occupancy has reached `blockAtShare`. */
  BlockingThresholdReached: Crossing;
  /** Occupancy has fallen below the threshold of a state; `state` is the state since. One event for each threshold. */
  OccupancyFell: Crossing & { below: Exclude<BudgetState, 'normal'>; state: BudgetState };
  /**
   * Occupancy has reached a threshold of automatic compactions: the profile's trigger, `requireAtShare`, the idle
   * share, or the window after a provider overflow. Recorded when the trigger is crossed, and with every automatic
   * compaction without a crossing.
   */
  CompactionThresholdHit: Crossing & {
    by: ThresholdName;
    /** Reached count and limit of a trigger other than tokens. `threshold` is then the trigger in tokens. */
    reached?: number;
    at?: Positive;
  };
  /** A compaction waits for a worker, with its plan. */
  CompactionRequested: OfSubjects & {
    compactionId: CompactionId;
    trigger: Trigger;
    /** The policy of this one compaction. */
    profile: Profile;
    instructions?: string;
    /** Absent if there is nothing to do. */
    plan?: RequestedPlan;
    occupancy: Tokens;
    turn: number;
    /** Tokens of the contributions to the request that it makes room for, if one is about to be sent. */
    contributed?: Tokens;
    /** Whether the caller continues the work by itself, so that no continuation is needed. */
    willContinue?: boolean;
    /** The first `CompactionDeferred` of this compaction, if it was deferred. Absent in older events. */
    deferredAt?: Revision;
    /** The trigger beside tokens that asks for it; absent where tokens do, or a caller. */
    count?: CountTrigger;
  };
  /** No compaction ran. `compactionId` is set if one had been requested. */
  CompactionSkipped: { compactionId?: CompactionId; trigger: Trigger; reason: SkipReason };
  /** A worker has begun an attempt. */
  CompactionStarted: OfSubjects &
    Attempt &
    Goal & {
      worker: NonEmpty;
      summarizer: SummarizerIdentity;
      /** The stages that will run, in order. */
      stages: readonly StageName[];
      turn: number;
      cut: Cut;
      splitTurn: boolean;
      coveredMessages: number;
      coveredTokens: Tokens;
      /** Counted and billed tokens of the next request at the start of the attempt. */
      countedBefore: Tokens;
      billedBefore: Tokens;
      /** Set for a new plan that replaces the requested one, because the covered entries had changed. */
      replanned?: true;
      /** SHA-256 of the summarizer's input, hexadecimal. */
      inputHash: string;
      /** Lines of hooks for the summarizer's input; absent without any. */
      contextLines?: readonly string[];
    };
  /** An attempt failed; `error` names the rule. */
  CompactionAttemptFailed: Attempt &
    PaidUsage & {
      error: AttemptError;
      /** The earliest start of the next attempt, if it is delayed. */
      retryAt?: IsoTime;
    };
  /** The summary of an attempt exceeds its limit. */
  CompactionSummaryExceededLimit: Attempt & {
    tokens: Tokens;
    countedLimit: Tokens;
  };
  /** References to reasoning were removed from a summary; words of covered blocks stay as ordinary text. */
  CompactionReasoningDowngraded: Attempt & ReasoningReferences;
  /** The rebuilt context of an attempt would be too large, in counted tokens: the attempt has failed. */
  CompactionYieldedNoGain: Attempt & {
    countedBefore: Tokens;
    countedAfter: Tokens;
    countedLimit: Tokens;
  };
  /**
   * Two compactions in a row, or more, have not brought the session below its trigger: `compactions` counts them, this one
   * included. It counts as a failure for the circuit breaker. Sizes are billed tokens.
   */
  CompactionMadeNoProgress: {
    compactionId: CompactionId;
    compactions: Several;
    occupancyAfter: Tokens;
    threshold: Tokens;
  };
  /** The pivot: summary, retention, fidelity, usage and the opening state of the session from here on. Sizes equal those of `CompactionApplied`. */
  CompactionCompleted: OfSubjects &
    Attempt &
    RequestSizes &
    Goal &
    PaidUsage & {
      worker: NonEmpty;
      trigger: Trigger;
      turn: number;
      /** `null` where dropping tool outputs was enough and no earlier summary had to be carried on. */
      summary: string | null;
      /** Counted tokens of the framed summary message, restored content included; 0 without one. */
      summaryTokens: Tokens;
      /** Restored content behind the summary, counted in `summaryTokens`; absent without any. */
      reinjected?: readonly Reinjected[];
      /** Set if the summary was truncated in the last attempt: framed size before and after. */
      truncated?: { readonly from: Tokens; readonly to: Tokens };
      /** Result of the quote check. Absent without a check. */
      quotes?: QuoteCheck;
      /** `null` if no earlier message stays, as in some imported compactions. */
      cut: Cut | null;
      splitTurn: boolean;
      /** The exact range that the summary covers, without earlier summaries. */
      covered: { readonly from: MessageId; readonly to: MessageId; readonly messages: number } | null;
      retention: readonly TurnRetention[];
      /** Dropped by this compaction. */
      droppedOutputs: readonly DroppedOutput[];
      /** Covered messages whose reasoning a policy, a mark or the caller has removed: no summarizer read it. Absent without any. */
      reasoningDropped?: readonly MessageId[];
      fileOperations: FileOperations;
      summarizer: SummarizerIdentity;
      /** The provider's own compaction, if the policy requests one. */
      native?: NativeCompaction;
      /** Absent if nothing was covered, and in older events. */
      fidelity?: Fidelity;
      /** 0 if imported from a transcript without a duration. */
      durationMs: Milliseconds;
      /** Set for a compaction by the agent of an imported session, which this engine has not verified. */
      imported?: ImportedCompaction;
      /** Messages that were appended while the attempt ran; absent without any. */
      messagesDuringRun?: number;
      /** By the worker's clock. */
      completedAt?: IsoTime;
      opening: OpeningState;
    };
  /** All attempts failed; the context is unchanged. */
  CompactionFailed: { compactionId: CompactionId; attempts: number; error: AttemptError };
  /** The compaction ended without a result: it was cancelled, or its context was replaced. */
  CompactionCancelled: OfSubjects & {
    compactionId: CompactionId;
    by: 'reset' | 'revert' | 'close' | 'caller' | 'hook' | 'erasure';
    reason: string;
  };
  /** The rebuilt context is in force. */
  CompactionApplied: RequestSizes & {
    compactionId: CompactionId;
    warningCleared: boolean;
  };
  /** Consecutive failures or compactions without progress stop automatic compactions for a number of turns or a time. */
  CompactionCircuitOpened: {
    failures: number;
    turn: number;
    /** Turns and minutes after which one trial is allowed, whichever passes first; 0 is never. */
    cooldownTurns: number;
    cooldownMinutes: number;
    openedAt?: IsoTime;
  };
  /** One automatic compaction may be tried: its success closes the circuit, its failure opens it again. */
  CompactionCircuitHalfOpened: { reason: 'turns-passed' | 'time-passed' | 'explicit-request'; turn: number };
  /** Automatic compactions run again. */
  CompactionCircuitClosed: { reason: 'trial-succeeded' | 'new-context'; turn: number };
  /** The compaction was undone: the context is as if it had never run. */
  CompactionReverted: OfSubjects &
    RequestSizes & {
      compactionId: CompactionId;
      /** The compaction that is in force again; `null` without one. */
      restored: CompactionId | null;
      reason: string;
      /** Messages before the context that is in force again, the one of them that it carries, and its compactions. */
      messagesBefore: number;
      carried: MessageId | null;
      compactions: number;
    };
  /**
   * A second result that was paid for and not applied: of another worker, or of the provider's context management in
   * the turn in which this compaction was applied. Then `provider` has its edits, `usage` and `cost` its bill, and
   * `applied` the cost of the applied compaction.
   */
  CompactionDuplicated: Attempt &
    PaidUsage & {
      worker: NonEmpty;
      provider?: ProviderEditSummary;
      applied?: PaidUsage & { readonly worker: NonEmpty };
    };
  /** A client waits for the compaction in flight, and continues by itself afterwards. */
  CompactionAwaited: { compactionId: CompactionId; turn: number };
  /** The interrupted work continues with a message of this engine, which is appended after this event. */
  ContinuationQueued: {
    compactionId: CompactionId;
    messageId: MessageId;
    turn: number;
    /** The trigger that interrupted it. */
    reason: AutomaticTrigger;
  };
};
