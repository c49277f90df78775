import type { Actor, CompactionId, IsoTime, MatterName, Revision, Tokens } from '@app/kernel';
import type { OfSubjects } from '../../message/subjects.js';
import type { Profile } from '../../profiles/profile.js';
import type { HoldUntil, Trigger } from '../facts.js';
import type { RetentionPeriod } from '../protection.js';

/** Data of events by type. */
export type DeferralEvents = {
  /**
   * A due compaction waits. Once it may run it is requested under the same id, unless it is cancelled before. A
   * deferred compaction may be deferred again: a caller then wants it at the end of the turn, whatever else delays it.
   */
  CompactionDeferred: OfSubjects & {
    compactionId: CompactionId;
    trigger: Trigger;
    until: HoldUntil;
    /** The source of the deferral. */
    by: Actor;
    reason: string;
    /** The policy of this one compaction. */
    profile: Profile;
    instructions?: string;
    occupancy: Tokens;
    turn: number;
    /** The first `CompactionDeferred` of this compaction, if this event defers it again. */
    deferredAt?: Revision;
  };
  /** Automatic compactions wait from now on, as long as no request is refused for that. */
  CompactionsHeld: OfSubjects & { until: HoldUntil; by: Actor; reason: string; turn: number };
  /** Automatic compactions may run again. The end of a turn has the same effect for holds until then. */
  CompactionsReleased: OfSubjects & { by: Actor; reason: string };
  /**
   * Content of the session is kept at least until a date; recorded when the period is set, and each time it changes.
   * With `days`, the date moves with the newest event.
   */
  RetentionPeriodSet: RetentionPeriod & {
    /** The date before, if a period was in force. */
    previousUntil?: IsoTime;
    source: 'caller' | 'tenant-default' | 'activity';
    /** Always given where the date moves forward in time or the mode is weakened. */
    reason?: string;
    by: Actor;
    at: IsoTime;
  };
  /** The session is no longer kept until a date. Only a period in the mode `governance` can be removed. */
  RetentionPeriodRemoved: { previousUntil: IsoTime; reason: string; by: Actor; at: IsoTime };
  /** The date has come, and the erasure of the content was requested. */
  RetentionPeriodEnded: { until: IsoTime; at: IsoTime };
  /** Nothing of the session may be erased until the hold is released, regardless of dates. */
  LegalHoldPlaced: { matter: MatterName; reason: string; by: Actor; at: IsoTime };
  /** The hold no longer forbids to erase the session. */
  LegalHoldReleased: { matter: MatterName; reason: string; by: Actor; at: IsoTime };
};
