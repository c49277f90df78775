import type { Event } from '@app/kernel';
import type { CompactionEvents } from './recorded/compaction-events.js';
import type { ConversationEvents } from './recorded/conversation-events.js';
import type { DeferralEvents } from './recorded/deferral-events.js';
import type { ProtectionEvents } from './recorded/protection-events.js';
import type { ProviderEvents } from './recorded/provider-events.js';
import type { RequestEvents } from './recorded/request-events.js';
import type { LifecycleEvents } from './recorded/session-events.js';
import type { OpeningEvents } from './recorded/session-opened.js';

export * from './facts.js';
export type * from './marks.js';
export type { RequestedPlan } from './recorded/compaction-events.js';
export type * from './recorded/opening-state.js';
export type { ProviderEditSummary, ProviderEdits } from './recorded/provider-events.js';
export type { CountFailure, PartDigests, RefusalReason } from './recorded/request-events.js';
export type { SessionDescription } from './recorded/session-opened.js';

/**
 * All events of a session, in their permanent stored form. To change one, add an optional field, or a new type and an
 * upcaster; never rename or retype after the first release.
 */
type SessionEventData = OpeningEvents &
  LifecycleEvents &
  ConversationEvents &
  RequestEvents &
  ProviderEvents &
  CompactionEvents &
  DeferralEvents &
  ProtectionEvents;
export type SessionEventType = keyof SessionEventData;
/** An event of one of the types. */
export type EventOf<Type extends SessionEventType> = Type extends unknown
  ? Event<Type, SessionEventData[Type]>
  : never;
export type EventData<Type extends SessionEventType> = EventOf<Type>['data'];
export type SessionEvent = EventOf<SessionEventType>;

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
