import {
  blockCounts,
  calibrationOf,
  costOf,
  cutOf,
  descriptionOf,
  editsOf,
  profileOf,
  ruleCounts,
  traceOf,
  usageOf,
} from '../parts.js';
import type { Payloads } from './payloads.js';

/** Events of the conversation, and of the session as a whole. */
export const conversationPayloads: Payloads<
  | 'SessionOpened'
  | 'MessageAppended'
  | 'UsageReported'
  | 'TurnCompleted'
  | 'ToolCallAbandoned'
  | 'ContentPinned'
  | 'ContentUnpinned'
  | 'SettingsChanged'
  | 'SessionDescribed'
  | 'ModelSwitched'
  | 'SessionClosed'
  | 'ProjectionSkipped'
  | 'SessionReset'
  | 'ContentErased'
  | 'SessionForked'
  | 'ProviderContextEdited'
  | 'DuplicateCompactionConfigured'
> = {
  SessionOpened: (data) => ({
    model: data.model,
    window: data.limits.window,
    windowSource: data.limits.windowSource,
    maxOutput: data.limits.maxOutput,
    inputLimit: data.limits.inputLimit,
    profile: profileOf(data.profile),
    systemPrompt: traceOf(data.systemPrompt),
    tools: data.tools.length,
    fixedTokens: data.fixedTokens,
    parentSessionId: data.parentSessionId,
    agent: data.agent,
    ...descriptionOf(data),
  }),
  MessageAppended: (data) => ({
    messageId: data.message.id,
    role: data.message.role,
    model: data.message.model,
    createdAt: data.message.createdAt,
    synthetic: data.message.synthetic,
    clientHas: data.message.clientHas,
    inserted: data.message.inserted?.length,
    blocks: blockCounts(data.message.blocks),
    tokens: data.tokens,
    estimator: data.estimator,
  }),
  UsageReported: (data) => ({
    usage: usageOf(data.usage),
    cost: costOf(data.cost),
    model: data.model,
    outcome: data.outcome,
    source: data.source,
    requestId: data.requestId,
    messageId: data.messageId,
    countsFor: data.countsFor,
    occupancyAfter: data.occupancyAfter,
    calibration: calibrationOf(data.calibration),
  }),
  TurnCompleted: (data) => ({ turn: data.turn, stopReason: data.stopReason }),
  ToolCallAbandoned: (data) => ({ calls: data.calls.length, reason: data.reason }),
  SettingsChanged: (data) => ({
    profile: profileOf(data.profile),
    window: data.limits.window,
    changed: [...data.changed],
  }),
  SessionDescribed: (data) => ({ ...descriptionOf(data), changed: [...data.changed] }),
  ModelSwitched: (data) => ({
    from: data.from,
    model: data.model,
    window: data.limits.window,
    occupancyAfter: data.occupancyAfter,
  }),
  SessionClosed: (data) => ({ reason: data.reason }),
  // The operator's reason is for auditors.
  ProjectionSkipped: ({ projection, revision, position, reason }) => ({
    projection,
    revision,
    position,
    reason,
  }),
  ContentPinned: (data) => {
    const { pinId, kind, text, tokens } = data.pin;
    return { pinId, kind, text: traceOf(text), tokens, occupancyAfter: data.occupancyAfter };
  },
  ContentUnpinned: (data) => ({ pinId: data.pinId, occupancyAfter: data.occupancyAfter }),
  ProviderContextEdited: (data) => editsOf(data),
  DuplicateCompactionConfigured: (data) => ({ profile: data.profile, since: data.since }),
  ContentErased: ({ subject = null, ...data }) => ({ ...data, subject }),
  SessionReset: (data) => ({
    reason: data.reason,
    turn: data.turn,
    clearedMessages: data.clearedMessages,
    countedBefore: data.countedBefore,
    countedAfter: data.countedAfter,
    billedBefore: data.billedBefore,
    billedAfter: data.billedAfter,
  }),
  SessionForked: (data) => ({
    from: { sessionId: data.from.sessionId, revision: data.from.revision },
    summary: data.summary === null ? null : traceOf(data.summary),
    summaryTokens: data.summaryTokens,
    cut: data.cut && cutOf(data.cut),
    retention: ruleCounts(data.retention),
    occupancyAfter: data.occupancyAfter,
  }),
};
