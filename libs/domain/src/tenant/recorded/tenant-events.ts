import type { Event, Revision, SessionId, TenantId } from '@app/kernel';
import type { TenantLimits } from '../limits.js';
import type { TenantSummarizers } from '../summarizers.js';

export type TenantRegistered = Event<'TenantRegistered', { tenantId: TenantId; name: string }>;

/** All limits as they are from now on; those that came later are not in every event. */
export type LimitsChanged = Event<
  'LimitsChanged',
  {
    limits: Omit<TenantLimits, 'concurrentCompactions'> &
      Partial<Pick<TenantLimits, 'concurrentCompactions'>>;
  }
>;

/** Who summarizes for the tenant from the next attempt on: all of them, with the names of secrets and no secret. */
export type SummarizersConfigured = Event<'SummarizersConfigured', TenantSummarizers>;

/**
 * An operator lets a projection go on without one event of this stream, of which it can make no row. `revision` and
 * `position` are those of that event; the position exceeds the numbers of JSON, so it is a string.
 */
export type TenantEventSkipped = Event<
  'TenantEventSkipped',
  { projection: string; revision: Revision; position: string; reason: string }
>;

/** A caller has looked at facts that were recorded, without text; the event's actor says who. */
export type AuditRead = Event<
  'AuditRead',
  {
    /** The route or command that was asked, such as `GET /v1/audit`. */
    endpoint: string;
    /** What the answer was narrowed to, as it was asked for. */
    filters: Readonly<Record<string, string>>;
    /** How many rows were given out. */
    rows: number;
  }
>;

/**
 * A caller is about to be given text that people and models wrote; the event's actor says who. Recorded before the text
 * goes out, so that no read is missing.
 */
export type ContentRead = Event<
  'ContentRead',
  {
    /** The route or command that was asked, such as `GET /v1/sessions/:session/export`. */
    endpoint: string;
    /** Whose text; `null` for a read of several sessions, whose filters say which. */
    session: SessionId | null;
    /** Of that session, both inclusive: nothing from outside of them was shown. `null` for a read of several sessions. */
    revisions: { readonly from: number; readonly to: number } | null;
    /** What the answer was narrowed to, as it was asked for. */
    filters: Readonly<Record<string, string>>;
    /** Why, in the caller's words, at most 500 characters; `null` where the caller gave no reason. */
    reason: string | null;
  }
>;
