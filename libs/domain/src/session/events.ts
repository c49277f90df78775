import type * as compaction from './recorded/compaction-events.js';
import type * as conversation from './recorded/conversation-events.js';
import type * as deferral from './recorded/deferral-events.js';
import type * as protection from './recorded/deferral-events.js';
import type * as provider from './recorded/provider-events.js';
import type * as requests from './recorded/request-events.js';
import type * as session from './recorded/session-events.js';
import type { SessionDescribed, SessionOpened } from './recorded/session-opened.js';
import type * as stages from './recorded/stage-events.js';

export * from './facts.js';
export type * from './marks.js';
export type * from './recorded/compaction-events.js';
export type * from './recorded/conversation-events.js';
export type * from './recorded/deferral-events.js';
export type * from './recorded/opening-state.js';
export type * from './recorded/provider-events.js';
export type * from './recorded/request-events.js';
export type * from './recorded/session-events.js';
export type * from './recorded/session-opened.js';
export type * from './recorded/stage-events.js';

/**
 * All events of a session, in their permanent stored form. To change one, add an optional field, or a new type and an
 * upcaster; never rename or retype after the first release.
 */
export type SessionEvent =
  | SessionOpened
  | conversation.MessageAppended
  | conversation.UsageReported
  | conversation.TurnCompleted
  | session.SettingsChanged
  | SessionDescribed
  | session.ModelSwitched
  | session.SessionClosed
  | conversation.ContentPinned
  | conversation.ContentUnpinned
  | conversation.ToolCallAbandoned
  | stages.ToolResultOffloaded
  | stages.ToolOutputsPruned
  | stages.ReasoningDropped
  | stages.SegmentCollapsed
  | requests.RequestCounted
  | requests.RequestPartsChanged
  | requests.RequestComposed
  | requests.RequestRefused
  | requests.LadderEntered
  | requests.LadderExited
  | requests.OverflowReported
  | requests.ContextOverflowed
  | requests.CompactionOverridden
  | provider.ProviderContextEdited
  | provider.DuplicateCompactionConfigured
  | compaction.WarningThresholdReached
  | compaction.CompactionRequired
  | compaction.BlockingThresholdReached
  | compaction.OccupancyFell
  | compaction.CompactionThresholdHit
  | compaction.CompactionRequested
  | compaction.CompactionSkipped
  | compaction.CompactionStarted
  | compaction.CompactionAttemptFailed
  | compaction.CompactionSummaryExceededLimit
  | compaction.CompactionReasoningDowngraded
  | compaction.CompactionYieldedNoGain
  | compaction.CompactionMadeNoProgress
  | compaction.CompactionCompleted
  | compaction.CompactionFailed
  | compaction.CompactionApplied
  | compaction.CompactionDuplicated
  | compaction.CompactionAwaited
  | compaction.ContinuationQueued
  | compaction.CompactionCancelled
  | compaction.CompactionCircuitOpened
  | compaction.CompactionCircuitHalfOpened
  | compaction.CompactionCircuitClosed
  | compaction.CompactionReverted
  | deferral.CompactionDeferred
  | deferral.CompactionsHeld
  | deferral.CompactionsReleased
  | protection.RetentionPeriodSet
  | protection.RetentionPeriodRemoved
  | protection.RetentionPeriodEnded
  | protection.LegalHoldPlaced
  | protection.LegalHoldReleased
  | session.ProjectionSkipped
  | session.SessionReset
  | session.ContentErased
  | session.SessionForked;
export type SessionEventType = SessionEvent['type'];

/** Every type of event, once; a new one that is missing here does not compile. */
const TYPES: Readonly<Record<SessionEventType, true>> = {
  SessionOpened: true,
  MessageAppended: true,
  UsageReported: true,
  TurnCompleted: true,
  SettingsChanged: true,
  SessionDescribed: true,
  ModelSwitched: true,
  SessionClosed: true,
  ContentPinned: true,
  ContentUnpinned: true,
  ToolCallAbandoned: true,
  ToolResultOffloaded: true,
  ToolOutputsPruned: true,
  ReasoningDropped: true,
  SegmentCollapsed: true,
  RequestCounted: true,
  RequestPartsChanged: true,
  RequestComposed: true,
  RequestRefused: true,
  LadderEntered: true,
  LadderExited: true,
  OverflowReported: true,
  ContextOverflowed: true,
  CompactionOverridden: true,
  ProviderContextEdited: true,
  DuplicateCompactionConfigured: true,
  WarningThresholdReached: true,
  CompactionRequired: true,
  BlockingThresholdReached: true,
  OccupancyFell: true,
  CompactionThresholdHit: true,
  CompactionRequested: true,
  CompactionSkipped: true,
  CompactionStarted: true,
  CompactionAttemptFailed: true,
  CompactionSummaryExceededLimit: true,
  CompactionReasoningDowngraded: true,
  CompactionYieldedNoGain: true,
  CompactionMadeNoProgress: true,
  CompactionCompleted: true,
  CompactionFailed: true,
  CompactionApplied: true,
  CompactionDuplicated: true,
  CompactionAwaited: true,
  ContinuationQueued: true,
  CompactionCancelled: true,
  CompactionCircuitOpened: true,
  CompactionCircuitHalfOpened: true,
  CompactionCircuitClosed: true,
  CompactionReverted: true,
  CompactionDeferred: true,
  CompactionsHeld: true,
  CompactionsReleased: true,
  RetentionPeriodSet: true,
  RetentionPeriodRemoved: true,
  RetentionPeriodEnded: true,
  LegalHoldPlaced: true,
  LegalHoldReleased: true,
  ProjectionSkipped: true,
  SessionReset: true,
  ContentErased: true,
  SessionForked: true,
};
export const isSessionEventType = (type: string): type is SessionEventType => Object.hasOwn(TYPES, type);
export const sessionEventTypes = (): readonly string[] => Object.keys(TYPES);
