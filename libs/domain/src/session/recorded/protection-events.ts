import type { Actor, IsoTime } from '@app/kernel';
import type { LegalHold, RetentionPeriod } from '../protection.js';

/** Data of events by type. */
export type ProtectionEvents = {
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
  LegalHoldPlaced: LegalHold;
  /** The hold no longer forbids to erase the session. */
  LegalHoldReleased: LegalHold;
};
