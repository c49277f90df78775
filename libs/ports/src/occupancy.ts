import type { SessionEventType, Trigger, TurnRetention } from '@app/domain';
import type { IsoTime, JsonObject, Revision, SessionId, TenantId } from '@app/kernel';

type OfSession = { readonly tenant: TenantId; readonly session: SessionId };

/** The revisions `from` to `to`, inclusive, in bins of `width` revisions each. */
export type OccupancyQuery = OfSession & {
  readonly from: Revision;
  readonly to: Revision;
  /** At least 1. */
  readonly width: number;
};

/** Occupancy within a bin, in billed tokens of the next request. */
export type OccupancyBin = {
  /** Of the newest event of the bin that states its occupancy. */
  readonly revision: Revision;
  readonly at: IsoTime;
  readonly occupancy: number;
  readonly min: number;
  readonly max: number;
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

/** What a compaction recorded about a turn. */
export type RetainedTurn = TurnRetention & { readonly compactionId: string };
