import type { Event, IsoTime, Revision, SessionId, TenantId } from '@app/kernel';
import type { TenantLimits } from '../limits.js';
import type { TenantSummarizers } from '../summarizers.js';

export type TenantRegistered = Event<'TenantRegistered', { tenantId: TenantId; name: string }>;

/** All limits from now on; older events lack limits that were added later. */
export type LimitsChanged = Event<
  'LimitsChanged',
  {
    limits: Omit<TenantLimits, 'concurrentCompactions'> &
      Partial<Pick<TenantLimits, 'concurrentCompactions'>>;
  }
>;

/** All summarizers of the tenant from the next attempt on, with names of secrets in place of their values. */
export type SummarizersConfigured = Event<'SummarizersConfigured', TenantSummarizers>;

/** The key of the tenant's transparency log was replaced: the keys that sign from now on, as vkeys (C2SP signed-note). */
export type LogKeyRotated = Event<'LogKeyRotated', { keys: readonly string[]; rotatedAt: IsoTime }>;

/**
 * An operator skipped one event of this stream in a projection that could not write its row. `revision` and
 * `position` identify that event; the position is a string, because it exceeds JSON numbers.
 */
export type TenantEventSkipped = Event<
  'TenantEventSkipped',
  { projection: string; revision: Revision; position: string; reason: string }
>;

/** A caller read recorded facts without content; the event's actor is the reader. */
export type AuditRead = Event<
  'AuditRead',
  {
    /** The route or command that was asked, such as `GET /v1/audit`. */
    endpoint: string;
    /** The filters of the read. */
    filters: Readonly<Record<string, string>>;
    /** Number of returned rows. */
    rows: number;
  }
>;

/**
 * A caller read content; the event's actor is the reader. Recorded before the response is sent, so that no read is
 * missing.
 */
export type ContentRead = Event<
  'ContentRead',
  {
    /** The route or command that was asked, such as `GET /v1/sessions/:session/export`. */
    endpoint: string;
    /** The session whose text was read; `null` for several sessions, which `filters` name. */
    session: SessionId | null;
    /** Range of revisions of that session from which the answer comes, inclusive. `null` for a read of several sessions. */
    revisions: { readonly from: number; readonly to: number } | null;
    /** The filters of the read. */
    filters: Readonly<Record<string, string>>;
    /** The caller's reason, at most 500 characters; `null` without one. */
    reason: string | null;
  }
>;
