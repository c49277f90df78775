import type { CompactionId, Event, IsoTime, Revision, SessionId, Tokens } from '@app/kernel';
import type { Limits, StateThresholds } from '../../budget/limits.js';
import type { Profile } from '../../profiles/profile.js';
import type { QuoteCheck } from '../../quotes/said.js';
import type { Cut, FileOperations, Reinjected } from '../facts.js';
import type { TurnRetention } from '../retention.js';
import type { OpeningState } from './opening-state.js';

/** What goes by other rules from now on: every field of the policy, and the names of those that have changed. */
export type SettingsChanged = Event<
  'SettingsChanged',
  { profile: Profile; limits: Limits; changed: readonly string[] }
>;

/** Older usage says nothing about the requests of another model. */
export type ModelSwitched = Event<
  'ModelSwitched',
  {
    from: string;
    model: string;
    limits: Limits;
    occupancyAfter: Tokens;
    /** Where the states begin from now on. */
    thresholds: StateThresholds;
  }
>;

/** The history was cleared down to the current user input, on somebody's word. The log keeps all of it. */
export type SessionReset = Event<
  'SessionReset',
  {
    /** Names the reset as a compaction is named: it can be reverted like one. */
    compactionId: CompactionId;
    reason: string;
    turn: number;
    clearedMessages: number;
    /** By the clock of the process that was asked for it. */
    at?: IsoTime;
    /** Of the next request: counted, and billed. */
    countedBefore: Tokens;
    countedAfter: Tokens;
    billedBefore: Tokens;
    billedAfter: Tokens;
    opening: OpeningState;
  }
>;

/** The session begins with the context of another one, which is copied before this event. */
export type SessionForked = Event<
  'SessionForked',
  {
    compactionId: CompactionId;
    from: { readonly sessionId: SessionId; readonly revision: Revision };
    summary: string | null;
    summaryTokens: Tokens;
    /** What is given again behind the summary; absent without any. */
    reinjected?: readonly Reinjected[];
    /** What came of the summary's quotes when it was made. */
    quotes?: QuoteCheck;
    cut: Cut | null;
    retention: readonly TurnRetention[];
    fileOperations: FileOperations;
    occupancyAfter: Tokens;
    opening: OpeningState;
  }
>;

/** Nothing is appended to a closed session any more; it can be read for ever. */
export type SessionClosed = Event<'SessionClosed', { reason: string }>;

/**
 * An operator has let a projection go on without one event of this session, whose row could not be written: what it shows
 * lacks that event from then on.
 */
export type ProjectionSkipped = Event<
  'ProjectionSkipped',
  {
    projection: string;
    /** Of the event that was passed over, in its session and in the log; the latter as a decimal number. */
    revision: Revision;
    position: string;
    reason: string;
  }
>;
