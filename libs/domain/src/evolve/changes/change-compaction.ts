import { type CompactionId, invariant, type MessageId, type Revision } from '@app/kernel';
import { hasReasoning } from '../../message/index.js';
import {
  type AttemptError,
  type EventOf,
  isAskedFor,
  type RequestedPlan,
  type SessionEvent,
} from '../../session/events.js';
import type { ListGrowth } from '../../session/grow.js';
import { voided } from '../../session/request-parts.js';
import type { CompactionInFlight, OpenSession } from '../../session/state.js';

/** Events of a compaction from its threshold to its end; applying it replaces the context. */
export type CompactionChange = Extract<
  SessionEvent,
  {
    readonly type:
      | 'CompactionThresholdHit'
      | 'CompactionRequested'
      | 'CompactionSkipped'
      | 'CompactionStarted'
      | 'CompactionAttemptFailed'
      | 'CompactionFailed'
      | 'CompactionCircuitOpened'
      | 'CompactionCircuitHalfOpened'
      | 'CompactionCircuitClosed'
      | 'CompactionCancelled'
      | 'CompactionReverted'
      | 'CompactionDuplicated'
      | 'CompactionAwaited'
      | 'ContinuationQueued'
      | 'CompactionApplied'
      | 'CompactionSummaryExceededLimit'
      | 'CompactionReasoningDowngraded'
      | 'CompactionYieldedNoGain'
      | 'CompactionMadeNoProgress';
  }
>;

/** Folds an event of a compaction's life into the state. */
export const changeCompaction = (
  state: OpenSession,
  revision: Revision,
  event: CompactionChange,
  grow: ListGrowth,
): OpenSession => {
  switch (event.type) {
    case 'CompactionThresholdHit':
      return hitThreshold(state, event);
    case 'CompactionRequested':
      return request(state, event);
    case 'CompactionSkipped':
      return { ...endCompaction(state), skipped: event.data.reason.rule };
    case 'CompactionStarted':
      return start(state, event);
    case 'CompactionAttemptFailed':
      return inFlight(state, {
        running: undefined,
        lastError: event.data.error,
        retryAt: event.data.retryAt,
      });
    case 'CompactionFailed':
      return failed(state, event.data.error);
    case 'CompactionAwaited':
      return state.compaction ? inFlight(state, { willContinue: true }) : state;
    case 'CompactionCircuitOpened':
    case 'CompactionCircuitHalfOpened':
    case 'CompactionCircuitClosed':
    case 'CompactionMadeNoProgress':
      return changeCircuit(state, event);
    case 'CompactionCancelled': {
      if (state.deferred?.compactionId === event.data.compactionId) return { ...state, deferred: undefined };
      // After a hook's skip the next automatic compaction waits for the next turn.
      const restingInTurn = event.data.by === 'hook' ? state.turn : state.restingInTurn;
      return { ...cancelled(state), restingInTurn };
    }
    case 'CompactionReverted':
      return revert(state, event.data.compactionId, revision);
    case 'CompactionDuplicated':
      return duplicateCompaction(state, event, grow);
    case 'CompactionApplied':
    case 'ContinuationQueued':
    case 'CompactionSummaryExceededLimit':
    case 'CompactionReasoningDowngraded':
    case 'CompactionYieldedNoGain':
      return state; // For the reader of the log; what they mean for the state stands beside them.
  }
};

const start = (state: OpenSession, event: EventOf<'CompactionStarted'>): OpenSession => {
  const { attempt, worker, summarizer, contextLines = [] } = event.data;
  const plan = event.data.replanned ? planIn(event, state) : state.compaction?.plan;
  return inFlight(state, {
    attempt,
    worker,
    summarizer,
    plan,
    running: event.data,
    contextLines,
    messages: plan?.messages ?? state.messages,
    retryAt: undefined,
  });
};

const failed = (state: OpenSession, error: AttemptError): OpenSession => ({
  ...endCompaction(state),
  restingInTurn: state.turn,
  failures: state.failures + 1,
  lastFailure: error,
});

const duplicateCompaction = (
  state: OpenSession,
  { data }: EventOf<'CompactionDuplicated'>,
  grow: ListGrowth,
): OpenSession => {
  const { compactionId, attempt, applied } = data;
  if (applied) return { ...state, providerEdited: undefined, duplicateCompactionId: compactionId };
  return { ...state, lateResults: grow(state.lateResults, [{ compactionId, attempt }]) };
};

type CircuitChange = Extract<
  CompactionChange,
  {
    readonly type:
      | 'CompactionCircuitOpened'
      | 'CompactionCircuitHalfOpened'
      | 'CompactionCircuitClosed'
      | 'CompactionMadeNoProgress';
  }
>;

const changeCircuit = (state: OpenSession, event: CircuitChange): OpenSession => {
  switch (event.type) {
    case 'CompactionCircuitOpened':
      return { ...state, circuit: { is: 'open', turn: event.data.turn, since: event.data.openedAt } };
    case 'CompactionCircuitHalfOpened':
      return state.circuit ? { ...state, circuit: { ...state.circuit, is: 'half-open' } } : state;
    case 'CompactionCircuitClosed':
      return { ...state, circuit: undefined, failures: 0 };
    case 'CompactionMadeNoProgress':
      return { ...state, failures: state.failures + 1 };
  }
};

/** The plan of an attempt that has made its own. */
const planIn = ({ data }: EventOf<'CompactionStarted'>, { messages }: OpenSession): RequestedPlan => {
  const { stages, cut, target, targetRaised, protection, coveredMessages, turn } = data;
  return {
    stages,
    cut,
    target,
    coveredMessages,
    countedBefore: data.countedBefore,
    messages,
    turn,
    ...(targetRaised && { targetRaised }),
    ...(protection && { protection }),
  };
};

/** It waits for a worker. One that was deferred is deferred no more. */
const request = (state: OpenSession, { data }: EventOf<'CompactionRequested'>): OpenSession => {
  const {
    compactionId,
    trigger,
    profile,
    instructions,
    plan,
    turn,
    contributed,
    willContinue = false,
  } = data;
  const waiting = {
    attempt: 0,
    worker: undefined,
    summarizer: undefined,
    running: undefined,
    contextLines: [],
    messages: plan?.messages ?? 0,
    lastError: undefined,
    retryAt: undefined,
  };
  const compaction = {
    compactionId,
    trigger,
    profile,
    instructions,
    plan,
    turn,
    willContinue,
    messagesAtRequest: state.messages,
    ...waiting,
  };
  const isKnown = state.deferred?.compactionId === compactionId;
  const deferred = isKnown ? undefined : state.deferred;
  const compactionIdCount = state.compactionIdCount + (isKnown ? 0 : 1);
  const automaticAt = trigger === 'overflow' ? state.messages : state.automaticAt;
  const request = contributed === undefined ? state.request : { ...state.request, contributed };
  const crossed = isAskedFor(trigger) ? state.crossed : { ...state.crossed, isServed: true };
  return {
    ...state,
    compaction,
    compactionIdCount,
    deferred,
    modelSwitched: false,
    automaticAt,
    request,
    crossed,
  };
};

/** The stream is read without the reverted compaction (`withoutReverted`). */
const revert = (state: OpenSession, compactionId: CompactionId, revision: Revision): OpenSession => {
  invariant(
    state.pivot?.compactionId !== compactionId,
    `${compactionId} was reverted: read the session anew`,
  );
  return {
    ...endCompaction(state),
    // A reverted reset keeps its id.
    compactionIdCount: state.compactionIdCount + 1,
    reverted: compactionId,
    crossed: { ...state.crossed, trigger: false, isServed: false },
    usage: undefined,
    measured: [], // What was billed meanwhile was for a context that is no more.
    requests: voided(state.requests),
    epochSince: revision,
    restingInTurn: state.turn, // Nothing has come that a new compaction could be for.
    unreplayableReasoning: [...new Set([...state.unreplayableReasoning, ...answersOfTurn(state)])],
  };
};

/** Answers since the compaction were bound to it: reverts are possible within its turn only. */
const answersOfTurn = ({ entries, turn }: OpenSession): readonly MessageId[] =>
  entries
    .filter((entry) => entry.turn === turn && hasReasoning(entry.message))
    .map(({ message }) => message.id);

/** An overflow, and idleness, say nothing of the trigger. */
const hitThreshold = (state: OpenSession, { data }: EventOf<'CompactionThresholdHit'>): OpenSession => {
  const { contributed, by } = data;
  const isOfBudget = by === 'trigger' || by === 'required';
  return {
    ...state,
    ...(isOfBudget && { crossed: { ...state.crossed, trigger: true, isServed: false } }),
    ...(contributed !== undefined && { request: { ...state.request, contributed } }),
  };
};

const inFlight = (state: OpenSession, change: Partial<CompactionInFlight>): OpenSession => {
  invariant(state.compaction, 'a recorded compaction was requested');
  return { ...state, compaction: { ...state.compaction, ...change } };
};
/** A cancelled attempt that still runs is billed: its result is then not a repetition. */
const cancelled = (state: OpenSession): OpenSession => {
  const { compaction } = state;
  if (!compaction?.running) return endCompaction(state);
  const { compactionId, attempt } = compaction;
  return { ...endCompaction(state), ended: { compactionId, attempt: attempt - 1 } };
};
/** Nothing is in flight any more; a late result is a repetition. */
export const endCompaction = (state: OpenSession): OpenSession => {
  const { compaction } = state;
  if (!compaction) return state;
  const { compactionId, attempt } = compaction;
  return { ...state, compaction: undefined, ended: { compactionId, attempt } };
};
