import type { Actor, CompactionId, Revision, Tokens } from '@app/kernel';
import type { OfSubjects } from '../../message/subjects.js';
import type { Profile } from '../../profiles/profile.js';
import type { HoldUntil, Trigger } from '../facts.js';

/** A hold on automatic compactions. */
export type CompactionHold = OfSubjects & {
  readonly until: HoldUntil;
  readonly by: Actor;
  readonly reason: string;
  readonly turn: number;
};

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
  CompactionsHeld: CompactionHold;
  /** Automatic compactions may run again. The end of a turn has the same effect for holds until then. */
  CompactionsReleased: OfSubjects & { by: Actor; reason: string };
};
