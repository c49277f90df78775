import type { LegalHold, RetentionPeriod } from '@app/domain';
import type { LogPosition, MatterName, SessionId, TenantId } from '@app/kernel';

/** A session with legal holds. */
export type HeldSession = {
  readonly session: SessionId;
  /** Oldest first. */
  readonly holds: readonly LegalHold[];
  readonly period: RetentionPeriod | null;
};

export type HeldSessionQuery = {
  readonly tenant: TenantId;
  readonly matter?: MatterName;
  /** Only rows before this log position. */
  readonly before?: LogPosition;
  /** At most 1,000. */
  readonly limit: number;
};

/** A session whose retention period has to be looked at: its date has come, or has to move. */
export type DueRetention = {
  readonly tenant: TenantId;
  readonly session: SessionId;
  /** Revision of the row, to detect changes. */
  readonly revision: number;
};
