import type { EventData, SessionEvent, SessionEventType } from '@app/domain';
import type { JsonObject } from '@app/kernel';
import {
  blockCounts,
  calibrationOf,
  descriptionOf,
  digestOf,
  droppedOf,
  editsOf,
  fidelityOf,
  freedIn,
  paid,
  profileOf,
  ruleCounts,
  skipReasonOf,
  traceOf,
  type Visible,
  visibleIn,
  visibleMembers,
} from './parts.js';

/** For each event type the fields that an auditor sees. */
type Payloads = { readonly [Type in SessionEventType]: Visible<EventData<Type>> };

const SIZES = ['countedBefore', 'countedAfter', 'billedBefore', 'billedAfter'] as const;
const CROSSING = ['occupancy', 'threshold', 'window', 'turn', 'contributed'] as const;

/** Fields of a requested or deferred compaction. */
const requestOf = (data: EventData<'CompactionRequested' | 'CompactionDeferred'>): JsonObject => ({
  ...visibleMembers(data, 'trigger', 'occupancy', 'turn', 'deferredAt'),
  profile: profileOf(data.profile),
  instructions: data.instructions === undefined ? undefined : traceOf(data.instructions),
});

/**
 * A new event type does not compile until its visible fields are decided here. Spreads come last in frequent ones: V8 takes
 * ten times as long to add a member to an object that begins with one.
 */
const SESSION_PAYLOADS: Payloads = {
  SessionOpened: (data) => ({
    ...visibleMembers(data, 'model', 'fixedTokens', 'parentSessionId', 'agent'),
    ...visibleMembers(data.limits, 'window', 'windowSource', 'maxOutput', 'inputLimit'),
    profile: profileOf(data.profile),
    systemPrompt: traceOf(data.systemPrompt),
    tools: data.tools.length,
    ...descriptionOf(data),
  }),
  SessionDescribed: (data) => ({ ...descriptionOf(data), changed: data.changed }),
  SessionClosed: ['reason'],
  SessionReset: ['reason', 'turn', 'clearedMessages', ...SIZES],
  SessionForked: (data) => ({
    ...visibleMembers(data, 'from', 'summaryTokens', 'cut', 'occupancyAfter'),
    summary: data.summary === null ? null : traceOf(data.summary),
    retention: ruleCounts(data.retention),
  }),
  SettingsChanged: (data) => ({
    profile: profileOf(data.profile),
    window: data.limits.window,
    changed: data.changed,
  }),
  ModelSwitched: (data) => ({
    ...visibleMembers(data, 'from', 'model', 'occupancyAfter'),
    window: data.limits.window,
  }),
  ContentErased: ({ subject = null, ...data }) => ({ ...data, subject }),
  // The operator's reason is for auditors.
  ProjectionSkipped: ['projection', 'revision', 'position', 'reason'],

  MessageAppended: ({ message, tokens, estimator }) => ({
    messageId: message.id,
    inserted: message.inserted?.length,
    blocks: blockCounts(message.blocks),
    tokens,
    estimator,
    ...visibleMembers(message, 'role', 'model', 'createdAt', 'synthetic', 'clientHas'),
  }),
  UsageReported: (data) => ({
    calibration: calibrationOf(data.calibration),
    ...visibleMembers(
      data,
      'model',
      'outcome',
      'source',
      'requestId',
      'messageId',
      'countsFor',
      'occupancyAfter',
    ),
    ...paid(data),
  }),
  TurnCompleted: ['turn', 'stopReason'],
  ToolCallAbandoned: (data) => ({ calls: data.calls.length, reason: data.reason }),
  ContentPinned: ({ pin, occupancyAfter }) => ({
    ...visibleMembers(pin, 'pinId', 'kind', 'tokens'),
    text: traceOf(pin.text),
    occupancyAfter,
  }),
  ContentUnpinned: ['pinId', 'occupancyAfter'],
  ProviderContextEdited: editsOf,
  DuplicateCompactionConfigured: ['profile', 'since'],

  RequestCounted: (data) => ({
    failure: data.failure,
    calibration: calibrationOf(data.calibration),
    ...visibleMembers(
      data,
      'turn',
      'model',
      'counter',
      'tokens',
      'estimated',
      'contributed',
      'omittedTokens',
    ),
  }),
  RequestPartsChanged: ({ systemPrompt, tools, contributions, client, ...data }) => ({
    ...visibleMembers(data, 'fixedTokens', 'occupancyAfter'),
    systemPrompt: digestOf(systemPrompt),
    tools: digestOf(tools),
    contributions: contributions && {
      digest: contributions.digest,
      names: contributions.given.map(({ name }) => name),
    },
    client: client && {
      format: client.format,
      before: digestOf(client.before),
      after: digestOf(client.after),
      forms: client.forms?.length,
      literal: client.literal && digestOf(client.literal),
    },
  }),
  RequestComposed: [
    ...(['requestId', 'format', 'revision', 'turn', 'occupancy', 'counted', 'window', 'state'] as const),
    ...(['epoch', 'stages', 'notes', 'countedSaved', 'omittedTokens', 'digest', 'parts'] as const),
    ...(['contributions', 'failedProviders', 'maxOutput', 'ladder', 'ladderOption'] as const),
  ],
  RequestRefused: [
    ...(['reason', 'turn', 'state', 'occupancy', 'threshold', 'window'] as const),
    ...(['remedies', 'largest', 'contributions'] as const),
  ],
  LadderEntered: ['turn', 'rung', 'occupancy', 'window'],
  LadderExited: ['turn', 'requests'],
  OverflowReported: ['turn', 'tokens', 'rung'],
  ContextOverflowed: ['turn', 'reason', 'rung', 'tokens', 'budget', 'parts', 'largest', 'remedies'],
  CompactionOverridden: ['turn', 'reason', 'occupancy', 'threshold'],
  WarningThresholdReached: CROSSING,
  CompactionRequired: CROSSING,
  BlockingThresholdReached: CROSSING,
  OccupancyFell: [...CROSSING, 'below', 'state'],
  CompactionThresholdHit: [...CROSSING, 'by'],

  CompactionRequested: (data) => ({
    ...requestOf(data),
    ...visibleMembers(data, 'contributed', 'willContinue'),
    plan:
      data.plan &&
      visibleMembers(
        data.plan,
        'stages',
        'cut',
        'target',
        'coveredMessages',
        'countedBefore',
        'messages',
        'turn',
      ),
  }),
  CompactionDeferred: (data) => ({ ...requestOf(data), ...visibleMembers(data, 'until', 'by', 'reason') }),
  CompactionsHeld: ['until', 'by', 'reason', 'turn'],
  CompactionsReleased: ['by', 'reason'],
  CompactionSkipped: (data) => ({ trigger: data.trigger, reason: skipReasonOf(data.reason) }),
  CompactionStarted: (data) => ({
    ...visibleMembers(
      data,
      'attempt',
      'worker',
      'summarizer',
      'stages',
      'turn',
      'cut',
      'splitTurn',
      'coveredMessages',
    ),
    ...visibleMembers(
      data,
      'coveredTokens',
      'countedBefore',
      'billedBefore',
      'target',
      'targetRaised',
      'protection',
    ),
    ...visibleMembers(data, 'replanned', 'inputHash'),
    contextLines: data.contextLines?.map(traceOf),
  }),
  CompactionAttemptFailed: (data) => ({
    ...visibleMembers(data, 'attempt', 'error', 'retryAt'),
    ...paid(data),
  }),
  CompactionSummaryExceededLimit: ['attempt', 'tokens', 'countedLimit'],
  CompactionReasoningDowngraded: ['attempt', 'marks', 'blocks'],
  CompactionYieldedNoGain: ['attempt', 'countedBefore', 'countedAfter', 'countedLimit'],
  CompactionMadeNoProgress: ['compactions', 'occupancyAfter', 'threshold'],
  // Without the opening state, which is made of messages.
  CompactionCompleted: (data) => ({
    ...visibleMembers(
      data,
      'attempt',
      'worker',
      'trigger',
      'turn',
      'summaryTokens',
      'truncated',
      'quotes',
      'cut',
    ),
    ...visibleMembers(
      data,
      'splitTurn',
      'covered',
      ...SIZES,
      'target',
      'targetRaised',
      'protection',
      'summarizer',
    ),
    ...visibleMembers(data, 'durationMs', 'imported', 'messagesDuringRun'),
    ...paid(data),
    summary: data.summary === null ? null : traceOf(data.summary),
    reinjected: data.reinjected?.map((one) => visibleMembers(one, 'kind', 'messageId', 'countedTokens')),
    retention: ruleCounts(data.retention),
    droppedOutputs: droppedOf(data.droppedOutputs),
    filesRead: data.fileOperations.read.length,
    filesModified: data.fileOperations.modified.length,
    filesDeleted: data.fileOperations.deleted?.length ?? 0,
    filesRenamed: data.fileOperations.renamed?.length ?? 0,
    native: data.native && visibleMembers(data.native, 'provider', 'model'),
    fidelity: fidelityOf(data.fidelity),
  }),
  CompactionFailed: ['attempts', 'error'],
  CompactionApplied: [...SIZES, 'warningCleared'],
  CompactionDuplicated: (data) => ({
    ...visibleMembers(data, 'attempt', 'worker', 'provider'),
    ...paid(data),
    applied: data.applied && { worker: data.applied.worker, ...paid(data.applied) },
  }),
  CompactionAwaited: ['turn'],
  ContinuationQueued: ['messageId', 'turn', 'reason'],
  CompactionCancelled: ['by', 'reason'],
  CompactionCircuitOpened: ['failures', 'turn', 'cooldownTurns', 'cooldownMinutes', 'openedAt'],
  CompactionCircuitHalfOpened: ['reason', 'turn'],
  CompactionCircuitClosed: ['reason', 'turn'],
  CompactionReverted: ['restored', 'reason', ...SIZES],

  // Message IDs and tokens. Call IDs are text of clients and are left out.
  ToolResultOffloaded: ['messageId', 'tokens', 'freed', 'reason', 'turn', 'occupancyAfter'],
  ToolOutputsPruned: (data) => ({
    ...visibleMembers(data, 'kept', 'pruned', 'turn', 'occupancyAfter', 'imported'),
    outputs: droppedOf(data.outputs),
  }),
  ReasoningDropped: ({ reasoning, turn, occupancyAfter }) => ({
    ...{ messages: reasoning.length, freed: freedIn(reasoning), turn, occupancyAfter },
  }),
  SegmentCollapsed: ({ messageId: from, ...data }) => ({
    from,
    ...visibleMembers(data, 'turn', 'to', 'messages', 'tokens', 'freed', 'pivot', 'occupancyAfter'),
  }),

  // Reasons of retention periods and legal holds are given for auditors.
  RetentionPeriodSet: ['mode', 'until', 'days', 'previousUntil', 'source', 'reason', 'by', 'at'],
  RetentionPeriodRemoved: ['previousUntil', 'reason', 'by', 'at'],
  RetentionPeriodEnded: ['until', 'at'],
  LegalHoldPlaced: ['matter', 'reason', 'by', 'at'],
  LegalHoldReleased: ['matter', 'reason', 'by', 'at'],
};

/**
 * Returns the payload of an event in the audit: listed facts, never content. Texts are represented by length and
 * digest; messages, tools, labels and files by count. Reasons are included, because they are given for the audit.
 */
export const auditPayload = ({ type, data }: SessionEvent): JsonObject => payloadOf(type, data);

const payloadOf = <Type extends SessionEventType>(type: Type, data: EventData<Type>): JsonObject =>
  visibleIn<EventData<Type>>(data, SESSION_PAYLOADS[type]);
