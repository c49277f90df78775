import type { EventType } from './event-type.js';

/** Occupancy at the end of a bin of revisions, and its parts, which add up to it. All in billed tokens. */
export type OccupancyPoint = {
  readonly revision: number;
  readonly at: string;
  readonly occupancy: number;
  /** The smallest and the largest of the bin. */
  readonly min: number;
  readonly max: number;
  /** System prompt and tools. */
  readonly system: number;
  readonly pinned: number;
  readonly summary: number;
  /** Everything else: the messages. */
  readonly tail: number;
  /** Tokens; 0 is unlimited. */
  readonly window: number;
};
/** An event that stands out in a session's occupancy; members that it does not state are `null`. */
export type OccupancyMark = {
  readonly revision: number;
  readonly at: string;
  readonly type: EventType;
  readonly compactionId: string | null;
  readonly trigger: string | null;
  readonly profile: string | null;
  /** The transcript format of the agent that compacted; `null` for compactions of this service. */
  readonly importedFrom: string | null;
  readonly billedBefore: number | null;
  readonly billedAfter: number | null;
  readonly countedBefore: number | null;
  readonly countedAfter: number | null;
  readonly coveredMessages: number | null;
  /** From 0 to 1. */
  readonly fidelity: number | null;
  readonly durationMs: number | null;
  /** Billionths of a US dollar. */
  readonly nanoUsd: number | null;
  /** Given by a caller, or the rule that applied. */
  readonly reason: string | null;
};
export type OccupancySeries = {
  readonly session: string;
  /** The session's newest revision. */
  readonly revision: number;
  /** The range of the answer, inclusive. */
  readonly from: number;
  readonly to: number;
  /** Revisions of a bin. */
  readonly width: number;
  /** Billed tokens of the next request now. */
  readonly occupancy: number;
  /** Tokens; 0 is unlimited. */
  readonly window: number;
  /** In force now; `null` without a window. */
  readonly thresholds: null | {
    readonly warning: number;
    readonly trigger: number;
    readonly critical: number;
    readonly blocking: number;
  };
  readonly points: readonly OccupancyPoint[];
  readonly marks: readonly OccupancyMark[];
  /** Marks in the range that are not listed. */
  readonly omittedMarks: number;
};
