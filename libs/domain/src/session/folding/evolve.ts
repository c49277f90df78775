import { invariant, type PinId, type Revision, Tokens } from '@app/kernel';
import { occupancy } from '../../budget/occupancy.js';
import { hasReasoning, startsTurn } from '../../message/index.js';
import type { Entry } from '../entry.js';
import type {
  ContextOverflow,
  MessageAppended,
  ModelSwitched,
  Pin,
  RequestComposed,
  RequestRefused,
  SessionEvent,
  SessionOpened,
} from '../events.js';
import type { OpenSession, SessionState } from '../state.js';
import { changeCompaction } from './change-compaction.js';
import { reopen } from './opening.js';
import { type PivotEvent, pivotFactsOf } from './pivots.js';
import type { Placed } from './placed.js';
import { reportUsage } from './report-usage.js';
import { takeAnswer } from './take-answer.js';

/** Folds one recorded fact into the state. It refuses nothing: what is recorded has happened. */
export const evolve = (state: SessionState, placed: Placed): SessionState => {
  const { event } = placed;
  if (event.type === 'SessionOpened') return openSession(event);
  invariant(state.status === 'open', `${event.type} is recorded on a session that is ${state.status}`);
  if (
    event.type === 'RequestComposed' ||
    event.type === 'RequestRefused' ||
    event.type === 'ContextOverflow'
  ) {
    const answered = takeAnswer(state, event);
    return answered.request.contributed === state.request.contributed ? answered : calmed(answered);
  }
  return change(state.lastAnswer ? { ...state, lastAnswer: undefined } : state, placed.revision, event);
};

type Change = Exclude<SessionEvent, SessionOpened | RequestComposed | RequestRefused | ContextOverflow>;

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
    case 'OverflowReported': {
      const { messages } = state;
      const { tokens } = event.data;
      return { ...state, overflow: { messages, tokens, isCompacted: false, isRetried: false } };
    }
    case 'CompactionOverridden':
      return { ...state, overriddenTurn: event.data.turn };
    case 'CompactionCompleted':
    case 'SessionReset':
    case 'SessionForked':
      return calmed(beginAnew(state, event, revision));
    default:
      return changeCompaction(state, revision, event);
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
  request: { contributed: Tokens(0), rung: undefined },
  boundElsewhere: [],
  overflow: undefined,
  crossed: { warning: false, required: false, threshold: false },
  compaction: undefined,
  ended: undefined,
  lateResults: [],
  skipped: undefined,
  restingInTurn: undefined,
  failures: 0,
  circuitOpenedAt: undefined,
  circuitOpenSince: undefined,
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
  const counted = {
    ...state,
    messages: state.messages + 1,
    turn: entry.turn,
    lastAnswer: undefined,
    ...(isBoundElsewhere(state, entry) && { boundElsewhere: [...state.boundElsewhere, entry.message.id] }),
  };
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

/**
 * Whether the reasoning of an answer is bound to what no later request begins with: contributions and rungs are of one
 * request alone, and pins may go.
 */
const isBoundElsewhere = ({ request, pins }: OpenSession, { message }: Entry): boolean =>
  (request.contributed > 0 || request.rung !== undefined || pins.length > 0) && hasReasoning(message);

const beginAnew = (state: OpenSession, event: PivotEvent, revision: Revision): OpenSession => {
  const facts = pivotFactsOf(event);
  const { cut } = facts;
  if (!cut) return reopen(facts, revision, []);
  const first = state.entries.findIndex((entry) => entry.message.id === cut.messageId);
  invariant(first >= 0, `the cut of ${facts.compactionId} is not in the context`);
  return reopen(facts, revision, state.entries.slice(first));
};

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
