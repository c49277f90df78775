import { costOf, cutOf, errorOf, profileOf, skipReasonOf, summarizerOf, traceOf, usageOf } from '../parts.js';
import { completedPayload } from './completed-payload.js';
import type { Payloads } from './payloads.js';

/** A compaction, from its request to its end and beyond. */
export const compactionPayloads: Payloads<
  | 'CompactionRequested'
  | 'CompactionDeferred'
  | 'CompactionsHeld'
  | 'CompactionsReleased'
  | 'CompactionSkipped'
  | 'CompactionStarted'
  | 'CompactionAttemptFailed'
  | 'CompactionSummaryExceededLimit'
  | 'CompactionReasoningDowngraded'
  | 'CompactionYieldedNoGain'
  | 'CompactionMadeNoProgress'
  | 'CompactionCompleted'
  | 'CompactionFailed'
  | 'CompactionApplied'
  | 'CompactionDuplicated'
  | 'CompactionAwaited'
  | 'ContinuationQueued'
  | 'CompactionCancelled'
  | 'CompactionCircuitOpened'
  | 'CompactionCircuitHalfOpened'
  | 'CompactionCircuitClosed'
  | 'CompactionReverted'
> = {
  CompactionRequested: (data) => ({
    trigger: data.trigger,
    profile: profileOf(data.profile),
    instructions: data.instructions === undefined ? undefined : traceOf(data.instructions),
    plan: data.plan && {
      stages: [...data.plan.stages],
      cut: cutOf(data.plan.cut),
      target: data.plan.target,
      coveredMessages: data.plan.coveredMessages,
      countedBefore: data.plan.countedBefore,
      messages: data.plan.messages,
      turn: data.plan.turn,
    },
    occupancy: data.occupancy,
    turn: data.turn,
    contributed: data.contributed,
    willContinue: data.willContinue,
    deferredAt: data.deferredAt,
  }),
  CompactionDeferred: (data) => ({
    trigger: data.trigger,
    until: data.until,
    by: data.by,
    reason: data.reason,
    profile: profileOf(data.profile),
    instructions: data.instructions === undefined ? undefined : traceOf(data.instructions),
    occupancy: data.occupancy,
    turn: data.turn,
    deferredAt: data.deferredAt,
  }),
  CompactionsHeld: (data) => ({
    until: data.until,
    by: data.by,
    reason: data.reason,
    turn: data.turn,
  }),
  CompactionsReleased: (data) => ({ by: data.by, reason: data.reason }),
  CompactionSkipped: (data) => ({ trigger: data.trigger, reason: skipReasonOf(data.reason) }),
  CompactionStarted: (data) => ({
    attempt: data.attempt,
    worker: data.worker,
    summarizer: summarizerOf(data.summarizer),
    stages: [...data.stages],
    turn: data.turn,
    cut: cutOf(data.cut),
    splitTurn: data.splitTurn,
    coveredMessages: data.coveredMessages,
    coveredTokens: data.coveredTokens,
    countedBefore: data.countedBefore,
    billedBefore: data.billedBefore,
    target: data.target,
    targetRaised: data.targetRaised && { ...data.targetRaised },
    protection: data.protection && { ...data.protection },
    replanned: data.replanned,
    inputHash: data.inputHash,
    contextLines: data.contextLines?.map(traceOf),
  }),
  CompactionAttemptFailed: (data) => ({
    attempt: data.attempt,
    error: errorOf(data.error),
    retryAt: data.retryAt,
    usage: usageOf(data.usage),
    cost: costOf(data.cost),
  }),
  CompactionSummaryExceededLimit: (data) => ({
    attempt: data.attempt,
    tokens: data.tokens,
    countedLimit: data.countedLimit,
  }),
  CompactionReasoningDowngraded: (data) => ({
    attempt: data.attempt,
    marks: data.marks,
    blocks: data.blocks,
  }),
  CompactionYieldedNoGain: (data) => ({
    attempt: data.attempt,
    countedBefore: data.countedBefore,
    countedAfter: data.countedAfter,
    countedLimit: data.countedLimit,
  }),
  CompactionMadeNoProgress: (data) => ({
    compactions: data.compactions,
    occupancyAfter: data.occupancyAfter,
    threshold: data.threshold,
  }),
  CompactionCompleted: (data) => completedPayload(data),
  CompactionFailed: (data) => ({ attempts: data.attempts, error: errorOf(data.error) }),
  CompactionApplied: (data) => ({
    countedBefore: data.countedBefore,
    countedAfter: data.countedAfter,
    billedBefore: data.billedBefore,
    billedAfter: data.billedAfter,
    warningCleared: data.warningCleared,
  }),
  CompactionDuplicated: (data) => ({
    attempt: data.attempt,
    worker: data.worker,
    usage: usageOf(data.usage),
    cost: costOf(data.cost),
    provider: data.provider && { ...data.provider },
    applied: data.applied && {
      worker: data.applied.worker,
      usage: usageOf(data.applied.usage),
      cost: costOf(data.applied.cost),
    },
  }),
  CompactionAwaited: (data) => ({ turn: data.turn }),
  ContinuationQueued: (data) => ({ messageId: data.messageId, turn: data.turn, reason: data.reason }),
  CompactionCancelled: (data) => ({ by: data.by, reason: data.reason }),
  CompactionCircuitOpened: (data) => ({
    failures: data.failures,
    turn: data.turn,
    cooldownTurns: data.cooldownTurns,
    cooldownMinutes: data.cooldownMinutes,
    openedAt: data.openedAt,
  }),
  CompactionCircuitHalfOpened: (data) => ({ reason: data.reason, turn: data.turn }),
  CompactionCircuitClosed: (data) => ({ reason: data.reason, turn: data.turn }),
  CompactionReverted: (data) => ({
    restored: data.restored,
    reason: data.reason,
    countedBefore: data.countedBefore,
    countedAfter: data.countedAfter,
    billedBefore: data.billedBefore,
    billedAfter: data.billedAfter,
  }),
};
