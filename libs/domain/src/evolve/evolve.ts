import { invariant, type PinId, type Revision, Tokens } from '@app/kernel';
import { pullsTrigger, reachesState } from '../budget/limits.js';
import { hasReasoning, startsTurn } from '../message/index.js';
import { occupancy } from '../occupancy/occupancy.js';
import { profileFor } from '../profiles/for-model.js';
import { descriptionIn } from '../session/description.js';
import { asRead, type Entry } from '../session/entry.js';
import type { EventData, EventOf, Pin, SessionEvent } from '../session/events.js';
import { growByCopy, type ListGrowth } from '../session/grow.js';
import { NO_MARKS } from '../session/marks.js';
import { NO_PROTECTION } from '../session/protection.js';
import { editSummary, isEdit } from '../session/recorded/provider-events.js';
import { partsOpened, voided } from '../session/request-parts.js';
import type { OpenSession, SessionState } from '../session/state.js';
import { viewOf } from '../view/view.js';
import { changeCompaction, endCompaction } from './changes/change-compaction.js';
import {
  type BudgetCrossing,
  changeDeferral,
  crossThreshold,
  endTurn,
  isBudgetCrossing,
} from './changes/change-deferral.js';
import { changeMarks } from './changes/change-marks.js';
import { changeParts } from './changes/change-parts.js';
import { changeProtection, isProtectionChange, type ProtectionChange } from './changes/change-protection.js';
import { reportUsage, takeCount } from './changes/report-usage.js';
import { takeAnswer } from './changes/take-answer.js';
import { reopen } from './opening.js';
import { isPivotEvent, type PivotEvent, type Placed, pivotFactsOf } from './pivots.js';

/** Folds one recorded event into the state. Rejects nothing, because recorded events are facts. */
export const evolve = (state: SessionState, placed: Placed): SessionState =>
  evolveBy(growByCopy, state, placed);

/** The same, where `grow` makes the lists that the fact adds to. */
export const evolveBy = (grow: ListGrowth, state: SessionState, placed: Placed): SessionState => {
  const { event } = placed;
  if (event.type === 'SessionOpened') return openSession(event);
  invariant(state.status === 'open', `${event.type} is recorded on a session that is ${state.status}`);
  if (event.type === 'ProjectionSkipped') return state; // It is about what is shown of the session.
  if (event.type === 'LadderEntered' || event.type === 'LadderExited') return state; // The request before them has said it.
  if (
    event.type === 'RequestComposed' ||
    event.type === 'RequestRefused' ||
    event.type === 'ContextOverflowed'
  ) {
    const answered = takeAnswer(state, event);
    return answered.request.contributed === state.request.contributed
      ? answered
      : withResetThresholds(answered);
  }
  if (isBudgetCrossing(event)) return crossThreshold(state, event); // Nothing of the next request changes by it.
  if (event.type === 'SessionDescribed') return { ...state, description: descriptionIn(event.data) };
  if (isProtectionChange(event)) return { ...state, protection: changeProtection(state.protection, event) };
  const unanswered = state.lastAnswer ? { ...state, lastAnswer: undefined } : state;
  if (event.type === 'MessageAppended') return appendMessage(unanswered, event, placed, grow);
  return change(unanswered, placed.revision, event, grow);
};

type Change = Exclude<
  SessionEvent,
  | EventOf<'SessionOpened'>
  | EventOf<'RequestComposed'>
  | EventOf<'RequestRefused'>
  | EventOf<'ContextOverflowed'>
  | EventOf<'LadderEntered'>
  | EventOf<'LadderExited'>
  | EventOf<'MessageAppended'>
  | EventOf<'SessionDescribed'>
  | EventOf<'ProjectionSkipped'>
  | BudgetCrossing
  | ProtectionChange
>;

const change = (state: OpenSession, revision: Revision, event: Change, grow: ListGrowth): OpenSession => {
  switch (event.type) {
    case 'UsageReported':
      return withResetThresholds(reportUsage(state, event, grow));
    case 'RequestCounted':
      return withResetThresholds(takeCount(state, event));
    case 'RequestPartsChanged':
      return withResetThresholds(changeParts(state, event));
    case 'TurnCompleted':
      return endTurn(state, event);
    case 'ToolCallAbandoned':
      return { ...state, abandonedCalls: grow(state.abandonedCalls, event.data.calls) };
    case 'SettingsChanged':
      return withResetThresholds(changeSettings(state, event, revision));
    case 'ModelSwitched':
      return withResetThresholds(switchModel(state, event, revision));
    case 'SessionClosed':
      return { ...state, closed: true };
    case 'ContentPinned':
      return repinned(state, grow(withoutPin(state, event.data.pin.pinId), [event.data.pin]), revision);
    case 'ContentUnpinned':
      return repinned(state, withoutPin(state, event.data.pinId), revision);
    case 'ToolResultOffloaded':
    case 'ToolOutputsPruned':
    case 'ReasoningDropped':
    case 'SegmentCollapsed':
      return withResetThresholds(changeMarks(state, revision, event, grow));
    case 'ProviderContextEdited':
      return editedByProvider(state, event);
    case 'DuplicateCompactionConfigured':
      return state; // What is configured stands in the profile.
    case 'OverflowReported': {
      const { messages } = state;
      const { tokens, rung } = event.data;
      const isAgain = state.overflow?.messages === messages;
      const overflow = { messages, tokens, rung, isCompacted: false, isRetried: false, isAgain };
      return { ...state, overflow };
    }
    case 'CompactionOverridden':
      return { ...state, overriddenTurn: event.data.turn };
    case 'ContentErased':
      return forgetErased(state, event, revision);
    case 'CompactionCompleted':
      if (!isPivotEvent(event)) return endCompaction(state);
      return withResetThresholds(replaceContext(state, event, revision));
    case 'SessionReset':
    case 'SessionForked':
      return withResetThresholds(replaceContext(state, event, revision));
    case 'CompactionDeferred':
    case 'CompactionsHeld':
    case 'CompactionsReleased':
      return changeDeferral(state, revision, event);
    default:
      return changeCompaction(state, revision, event, grow);
  }
};

const openSession = ({ data }: EventOf<'SessionOpened'>): OpenSession => ({
  status: 'open',
  opened: data,
  description: descriptionIn(data),
  model: data.model,
  limits: data.limits,
  policy: data.profile,
  profile: profileFor(data.profile, data.model),
  parts: partsOpened(data),
  leadingSystem: [],
  entries: [],
  entriesTokens: 0,
  pivot: undefined,
  turn: 0,
  messages: 0,
  turnCompleted: 0,
  compactions: 0,
  compactionIdCount: 0,
  usage: undefined,
  measured: [],
  requests: [],
  lastBilledMessageId: undefined,
  epochSince: undefined,
  calibrations: [],
  request: { contributed: Tokens(0), rung: undefined, billedTokens: undefined, format: undefined },
  ladder: undefined,
  unreplayableReasoning: [],
  overflow: undefined,
  crossed: { warning: false, critical: false, blocking: false, trigger: false, isServed: false },
  compaction: undefined,
  deferred: undefined,
  hold: undefined,
  ended: undefined,
  lateResults: [],
  skipped: undefined,
  restingInTurn: undefined,
  failures: 0,
  lastFailure: undefined,
  compactionsWithoutProgress: 0,
  circuit: undefined,
  abandonedCalls: [],
  droppedOutputs: [],
  marks: NO_MARKS,
  pins: [],
  overriddenTurn: undefined,
  lastAnswer: undefined,
  automaticAt: undefined,
  modelSwitched: false,
  lastEditedResponseId: undefined,
  reasoningClearedIn: [],
  providerEdited: undefined,
  duplicateCompactionId: undefined,
  reverted: undefined,
  lastErasure: undefined,
  protection: NO_PROTECTION,
  closed: false,
});

/** Returns the entry of a message after the existing ones. */
export const entryFrom = (
  { data: { message, tokens, blockTokens } }: EventOf<'MessageAppended'>,
  revision: Revision,
  before: { readonly turn: number; readonly messages: number },
): Entry => {
  const turn = before.turn + (startsTurn(message) ? 1 : 0);
  return asRead({ message, revision, tokens, blockTokens, turn, position: before.messages });
};

const appendMessage = (
  state: OpenSession,
  event: EventOf<'MessageAppended'>,
  { revision, withdrawn }: Pick<Placed, 'revision' | 'withdrawn'>,
  grow: ListGrowth,
): OpenSession => {
  const entry = entryFrom(event, revision, state);
  const messages = state.messages + 1;
  // A message of this engine is not new content for another compaction.
  const isSame = entry.message.synthetic && state.automaticAt === state.messages;
  // System messages from the head of a session are its system prompt, and no compaction ever touches them.
  const isLeading = entry.message.role === 'system' && state.entries.length === 0 && !state.pivot;
  const isEntry = !withdrawn && !isLeading;
  // One copy of the state: it has so many members that each further copy of it shows in the time of an append.
  return {
    ...state,
    messages,
    turn: entry.turn,
    lastAnswer: undefined,
    automaticAt: isSame ? messages : state.automaticAt,
    unreplayableReasoning: isBoundElsewhere(state, entry)
      ? grow(state.unreplayableReasoning, [entry.message.id])
      : state.unreplayableReasoning,
    leadingSystem: !withdrawn && isLeading ? grow(state.leadingSystem, [entry]) : state.leadingSystem,
    entries: isEntry ? grow(state.entries, [entry]) : state.entries,
    entriesTokens: isEntry ? state.entriesTokens + entry.tokens : state.entriesTokens,
  };
};

/**
 * Returns whether the reasoning of an answer is bound to a prefix that no later request has: contributions and ladder
 * rungs belong to one request, and pins can be removed.
 */
const isBoundElsewhere = ({ request, pins }: OpenSession, { message }: Entry): boolean =>
  (request.contributed > 0 || request.rung !== undefined || pins.length > 0) && hasReasoning(message);

const replaceContext = (state: OpenSession, event: PivotEvent, revision: Revision): OpenSession => {
  const facts = pivotFactsOf(event);
  const { cut } = facts;
  if (!cut) return reopen(facts, revision, []);
  // A fork copies its source's messages first, some of which may precede the head.
  const all = [...state.leadingSystem, ...state.entries];
  const first = all.findIndex((entry) => entry.message.id === cut.messageId);
  invariant(first >= 0, `the cut of ${facts.compactionId} is not in the context`);
  return reopen(facts, revision, all.slice(first));
};

/** Earlier bills and composed requests were for other content. */
const forgetErased = (
  state: OpenSession,
  { data }: EventOf<'ContentErased'>,
  revision: Revision,
): OpenSession => ({
  ...state,
  ...(data.isDescriptionErased && { description: withoutDescription(state.description, data) }),
  lastErasure: data.erasure,
  usage: undefined,
  measured: [],
  requests: voided(state.requests),
  epochSince: revision,
});

/** Only this event marks the description as erased: compactions carry the description on without the mark. */
const withoutDescription = (
  { title: _, project: __, ...description }: OpenSession['description'],
  { by, at, erasure, scope }: EventData<'ContentErased'>,
): OpenSession['description'] => ({ erased: { by, at, erasure, scope }, ...description, labels: {} });

const editedByProvider = (state: OpenSession, { data }: EventOf<'ProviderContextEdited'>): OpenSession => ({
  ...state,
  lastEditedResponseId: data.responseId ?? state.lastEditedResponseId,
  reasoningClearedIn: data.reasoningClearedIn,
  providerEdited: isEdit(data) ? editOf(data, state.providerEdited) : state.providerEdited,
});

/** A bill is void if the new settings omit more or less from the next request. */
const changeSettings = (
  state: OpenSession,
  { data: { profile: policy, limits } }: EventOf<'SettingsChanged'>,
  revision: Revision,
): OpenSession => {
  const profile = profileFor(policy, state.model);
  const changed = { ...state, policy, profile, limits, lastFailure: undefined };
  if (viewOf(changed).freed === viewOf(state).freed) return changed;
  return { ...changed, usage: undefined, epochSince: revision };
};

/** Keeps the cost of a provider compaction from an earlier answer of the same turn. */
const editOf = (
  { turn, compaction, ...data }: EventData<'ProviderContextEdited'>,
  before: OpenSession['providerEdited'],
): OpenSession['providerEdited'] => {
  const earlier = before?.turn === turn && before.edits.compacted ? before : undefined;
  return {
    turn,
    edits: editSummary(data, compaction !== undefined || earlier !== undefined),
    usage: compaction?.usage ?? earlier?.usage,
    cost: compaction?.cost ?? earlier?.cost,
  };
};

const switchModel = (
  state: OpenSession,
  { data }: EventOf<'ModelSwitched'>,
  revision: Revision,
): OpenSession => ({
  ...state,
  model: data.model,
  profile: profileFor(state.policy, data.model),
  limits: data.limits,
  usage: undefined,
  measured: [],
  requests: voided(state.requests),
  epochSince: revision,
  modelSwitched: true,
  automaticAt: undefined, // What there is may be too much for this one.
});

/** Older bills are for different content. */
const repinned = (state: OpenSession, pins: readonly Pin[], revision: Revision): OpenSession =>
  withResetThresholds({
    ...state,
    pins,
    usage: undefined,
    requests: voided(state.requests),
    epochSince: revision,
  });

const withoutPin = ({ pins }: OpenSession, pinId: PinId): readonly Pin[] =>
  pins.some((pin) => pin.pinId === pinId) ? pins.filter((pin) => pin.pinId !== pinId) : pins;

/** Forgets the thresholds that occupancy has fallen below, so that the next crossing is recorded again. */
export const withResetThresholds = (state: OpenSession): OpenSession => {
  const { warning, critical, blocking, trigger, isServed } = state.crossed;
  if (!warning && !critical && !blocking && !trigger) return state;
  const { profile, limits } = state;
  const size = occupancy(state);
  return {
    ...state,
    crossed: {
      warning: warning && reachesState(size, limits, profile, 'warning'),
      critical: critical && reachesState(size, limits, profile, 'critical'),
      blocking: blocking && reachesState(size, limits, profile, 'blocking'),
      trigger: trigger && pullsTrigger(size, limits, profile),
      isServed,
    },
  };
};
