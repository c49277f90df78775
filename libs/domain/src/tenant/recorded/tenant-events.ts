import type { Event, TenantId } from '@app/kernel';
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

/** Somebody has looked at what was recorded; who it was is said by the event's actor. */
export type AuditRead = Event<
  'AuditRead',
  {
    /** What was asked, such as `GET /v1/audit`. */
    endpoint: string;
    /** What the answer was narrowed to, as it was asked for. */
    filters: Readonly<Record<string, string>>;
    /** How many rows were given out. */
    rows: number;
  }
>;
