import type { SessionEventType, Trigger, TurnRetention } from '@app/domain';
import type { IsoTime, JsonObject, Revision, SessionId, TenantId } from '@app/kernel';

type OfSession = { readonly tenant: TenantId; readonly session: SessionId };

/** The revisions `from` to `to`, inclusive. */
type OfRevisions = OfSession & { readonly from: Revision; readonly to: Revision };

/** In bins of `width` revisions each, at least 1. */
export type OccupancyQuery = OfRevisions & { readonly width: number };

/** In `bins` bins of the same active time; longer pauses than `idleAfterMs` between two events are idle and count nothing. */
export type ActivityQuery = OfRevisions & { readonly bins: number; readonly idleAfterMs: number };

/** Occupancy within a bin, in billed tokens of the next request. */
export type OccupancyBin = {
  /** Revision of the bin's newest event that states its occupancy. */
  readonly revision: Revision;
  readonly at: IsoTime;
  readonly occupancy: number;
  readonly min: number;
  readonly max: number;
};

/** Milliseconds of activity since the first event of the range. */
type Active = { readonly activeMs: number };

/** A pause that counts nothing, between an event and the one at `revision`. */
type IdleTime = Active & {
  readonly revision: Revision;
  readonly from: IsoTime;
  readonly to: IsoTime;
};

/** Occupancy over active time. */
export type Activity = Active & {
  /** Oldest first; each with the active time at its revision. */
  readonly bins: readonly (OccupancyBin & Active)[];
  /** The longest 200, oldest first. */
  readonly idle: readonly IdleTime[];
};

export type MilestoneQuery = OfSession & { readonly types: readonly SessionEventType[] };

/** An event that changed a session's context or budget, with its facts in the audit and without content. */
export type Milestone = {
  readonly revision: Revision;
  readonly at: IsoTime;
  readonly type: SessionEventType;
  readonly compactionId: string | null;
  readonly trigger: Trigger | null;
  readonly profile: string | null;
  readonly payload: JsonObject;
};

/** The turns `from` to `to`, inclusive. */
export type RetentionQuery = OfSession & { readonly from: number; readonly to: number };

/** The recorded state of a turn at a compaction. */
export type RetainedTurn = TurnRetention & { readonly compactionId: string };
