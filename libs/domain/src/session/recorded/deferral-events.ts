import type { Actor, CompactionId, Event, Revision, Tokens } from '@app/kernel';
import type { Profile } from '../../profiles/profile.js';
import type { HoldUntil, Trigger } from '../facts.js';

/**
 * A compaction that is due waits. When it is due again it is requested under the same id, unless it is cancelled before.
 * One that waits already may be deferred anew: then somebody wants it at the end of the turn, whatever holds it back.
 */
export type CompactionDeferred = Event<
  'CompactionDeferred',
  {
    compactionId: CompactionId;
    trigger: Trigger;
    until: HoldUntil;
    /** On whose word. */
    by: Actor;
    reason: string;
    /** The policy of this one compaction. */
    profile: Profile;
    instructions?: string;
    occupancy: Tokens;
    turn: number;
    /** The first event of this type for this compaction, where this one defers it anew. */
    deferredAt?: Revision;
  }
>;

/** Automatic compactions wait from now on, as long as no request is refused for that. */
export type CompactionsHeld = Event<
  'CompactionsHeld',
  { until: HoldUntil; by: Actor; reason: string; turn: number }
>;

/** They wait no more. The end of a turn says the same of those that were held until then. */
export type CompactionsReleased = Event<'CompactionsReleased', { by: Actor; reason: string }>;
