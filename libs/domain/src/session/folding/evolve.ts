import { type CompactionId, invariant, type PinId, type Revision } from '@app/kernel';
import { occupancy } from '../../budget/occupancy.js';
import { startsTurn } from '../../message/index.js';
import type { Entry } from '../entry.js';
import type {
  CompactionCircuitClosed,
  MessageAppended,
  ModelSwitched,
  Pin,
  RequestComposed,
  RequestRefused,
  SessionEvent,
  SessionOpened,
} from '../events.js';
import type { CompactionInFlight, OpenSession, SessionState } from '../state.js';
import { reopen } from './opening.js';
import { type PivotEvent, pivotFactsOf } from './pivots.js';
import type { Placed } from './placed.js';
import { reportUsage } from './report-usage.js';

/** Folds one recorded fact into the state. It refuses nothing: what is recorded has happened. */
export const evolve = (state: SessionState, placed: Placed): SessionState => {
  const { event } = placed;
  if (event.type === 'SessionOpened') return openSession(event);
  invariant(state.status === 'open', `${event.type} is recorded on a session that is ${state.status}`);
  if (event.type === 'RequestComposed' || event.type === 'RequestRefused') {
    return { ...state, lastAnswer: event }; // Nothing of the context, and nothing of the budget.
  }
  return change(state.lastAnswer ? { ...state, lastAnswer: undefined } : state, placed.revision, event);
};

type Change = Exclude<SessionEvent, SessionOpened | RequestComposed | RequestRefused>;

const change = (state: OpenSession, revision: Revision, event: Change): OpenSession => {
  switch (event.type) {
    case 'MessageAppended':
      return appendMessage(state, event, revision);
    case 'UsageReported':
      return calmed(reportUsage(state, event));
    case 'TurnCompleted':
      return { ...state, turnCompleted: event.data.turn };
    case 'ToolCallAbandoned':
      return { ...state, abandonedCalls: [...state.abandonedCalls, ...event.data.calls] };
    case 'SettingsChanged':
      return calmed({ ...state, profile: event.data.profile, limits: event.data.limits });
    case 'ModelSwitched':
      return calmed(switchModel(state, event, revision));
    case 'SessionClosed':
      return { ...state, closed: true };
    case 'ContentPinned':
      return repinned(state, [...withoutPin(state, event.data.pin.pinId), event.data.pin], revision);
    case 'ContentUnpinned':
      return repinned(state, withoutPin(state, event.data.pinId), revision);
    case 'CompactionWarning':
      return { ...state, crossed: { ...state.crossed, warning: true } };
    case 'CompactionRequired':
      return { ...state, crossed: { ...state.crossed, required: true } };
    case 'CompactionThresholdHit':
      return { ...state, crossed: { ...state.crossed, threshold: true } };
    case 'CompactionOverridden':
      return { ...state, overriddenTurn: event.data.turn };
    case 'CompactionRequested': {
      const { compactionId, trigger, profile, instructions, turn } = event.data;
      const waiting = { attempt: 0, worker: undefined, running: undefined, lastError: undefined };
      const compaction = { compactionId, trigger, profile, instructions, turn, ...waiting };
      const automaticAt = trigger === 'overflow' ? state.messages : state.automaticAt;
      return { ...state, compaction, modelSwitched: false, automaticAt };
    }
    case 'CompactionSkipped':
      return { ...ended(state), skipped: event.data.reason.rule };
    case 'CompactionStarted': {
      const { attempt, worker } = event.data;
      return inFlight(state, { attempt, worker, running: event.data });
    }
    case 'CompactionAttemptFailed':
      return inFlight(state, { running: undefined, lastError: event.data.error });
    case 'CompactionFailed':
      return { ...ended(state), restingInTurn: state.turn, failures: state.failures + 1 };
    case 'CompactionCircuitOpened':
      return { ...state, circuitOpenedAt: event.data.messages };
    case 'CompactionCircuitClosed':
      return closeCircuit(state, event.data.because);
    case 'CompactionCompleted':
    case 'SessionReset':
    case 'SessionForked':
      return calmed(beginAnew(state, event, revision));
    case 'CompactionCancelled':
      return ended(state);
    case 'CompactionReverted':
      return revert(state, event.data.compactionId, revision);
    case 'CompactionDoubleRan': {
      const { compactionId, attempt } = event.data;
      return { ...state, lateResults: [...state.lateResults, { compactionId, attempt }] };
    }
    case 'CompactionApplied':
    case 'CompactionSummaryOversize':
    case 'CompactionNoProgress':
      return state; // For the reader of the log; what they mean for the state stands beside them.
  }
};

const openSession = ({ data }: SessionOpened): OpenSession => ({
  status: 'open',
  opened: data,
  model: data.model,
  limits: data.limits,
  profile: data.profile,
  leadingSystem: [],
  entries: [],
  entriesTokens: 0,
  pivot: undefined,
  turn: 0,
  messages: 0,
  turnCompleted: 0,
  compactions: 0,
  usage: undefined,
  epochSince: undefined,
  crossed: { warning: false, required: false, threshold: false },
  compaction: undefined,
  ended: undefined,
  lateResults: [],
  skipped: undefined,
  restingInTurn: undefined,
  failures: 0,
  circuitOpenedAt: undefined,
  abandonedCalls: [],
  droppedOutputs: [],
  pins: [],
  overriddenTurn: undefined,
  lastAnswer: undefined,
  automaticAt: undefined,
  modelSwitched: false,
  reverted: undefined,
  closed: false,
});

/** The entry that a message becomes, given what stands before it. */
export const entryFrom = (
  { data: { message, tokens, blockTokens } }: MessageAppended,
  revision: Revision,
  before: { readonly turn: number; readonly messages: number },
): Entry => {
  const turn = before.turn + (startsTurn(message) ? 1 : 0);
  return { message, revision, tokens, blockTokens, turn, position: before.messages };
};

/** `add` makes the list with one entry more. */
export const appendMessage = (
  state: OpenSession,
  event: MessageAppended,
  revision: Revision,
  add = (entries: readonly Entry[], entry: Entry): readonly Entry[] => [...entries, entry],
): OpenSession => {
  const entry = entryFrom(event, revision, state);
  const counted = { ...state, messages: state.messages + 1, turn: entry.turn, lastAnswer: undefined };
  // System messages from the head of a session are its system prompt, and no compaction ever touches them.
  if (entry.message.role === 'system' && state.entries.length === 0 && !state.pivot) {
    return { ...counted, leadingSystem: [...state.leadingSystem, entry] };
  }
  return {
    ...counted,
    entries: add(state.entries, entry),
    entriesTokens: state.entriesTokens + entry.tokens,
  };
};

const beginAnew = (state: OpenSession, event: PivotEvent, revision: Revision): OpenSession => {
  const facts = pivotFactsOf(event);
  const { cut } = facts;
  if (!cut) return reopen(facts, revision, []);
  const first = state.entries.findIndex((entry) => entry.message.id === cut.messageId);
  invariant(first >= 0, `the cut of ${facts.compactionId} is not in the context`);
  return reopen(facts, revision, state.entries.slice(first));
};

/** The context is that of a stream without the compaction: whoever folds has left it out (`withoutReverted`). */
const revert = (state: OpenSession, compactionId: CompactionId, revision: Revision): OpenSession => {
  invariant(
    state.pivot?.compactionId !== compactionId,
    `${compactionId} was reverted: read the session anew`,
  );
  return {
    ...ended(state),
    reverted: compactionId,
    crossed: { warning: false, required: false, threshold: false },
    usage: undefined,
    epochSince: revision,
    restingInTurn: state.turn, // Nothing has come that a new compaction could be for.
  };
};

/** New material is worth one try: its failure stops automatic compactions again. Somebody's word is worth all of them. */
const closeCircuit = (
  state: OpenSession,
  because: CompactionCircuitClosed['data']['because'],
): OpenSession => ({
  ...state,
  circuitOpenedAt: undefined,
  failures: because === 'new-material' ? state.profile.breakerAfter - 1 : 0,
});

const switchModel = (state: OpenSession, { data }: ModelSwitched, revision: Revision): OpenSession => ({
  ...state,
  model: data.model,
  limits: data.limits,
  usage: undefined,
  epochSince: revision,
  modelSwitched: true,
});

/** Older bills are for requests that carried something else. */
const repinned = (state: OpenSession, pins: readonly Pin[], revision: Revision): OpenSession =>
  calmed({ ...state, pins, usage: undefined, epochSince: revision });

const withoutPin = ({ pins }: OpenSession, pinId: PinId): readonly Pin[] =>
  pins.filter((pin) => pin.pinId !== pinId);

const inFlight = (state: OpenSession, change: Partial<CompactionInFlight>): OpenSession => {
  invariant(state.compaction, 'a compaction is recorded that nobody requested');
  return { ...state, compaction: { ...state.compaction, ...change } };
};
const ended = (state: OpenSession): OpenSession => {
  const { compaction } = state;
  if (!compaction) return state;
  const { compactionId, attempt } = compaction;
  return { ...state, compaction: undefined, ended: { compactionId, attempt } };
};

/** Forgets the thresholds that occupancy has fallen below, so that the next crossing is recorded again. */
export const calmed = (state: OpenSession): OpenSession => {
  const { warning, required, threshold } = state.crossed;
  const { profile, limits } = state;
  const reaches = (share: number): boolean => occupancy(state) >= limits.window * share;
  return {
    ...state,
    crossed: {
      warning: warning && reaches(profile.warnAt),
      required: required && reaches(profile.requireAt),
      threshold: threshold && reaches(profile.triggerAt),
    },
  };
};
