import type { ProjectionName } from '@app/ports';
import { auditEventsProjection } from './audit-events/audit-events.projection.js';
import { compactionsProjection, compactionTurnsProjection } from './compactions/compactions.projection.js';
import type { Projection } from './projection.js';
import { sessionsProjection } from './sessions/sessions.projection.js';
import { apiKeysProjection, auditReadsProjection, tenantsProjection } from './tenants.projection.js';
import { usageByDayProjection } from './usage/usage-by-day.projection.js';

const BY_NAME = {
  sessions: sessionsProjection,
  compactions: compactionsProjection,
  compaction_turns: compactionTurnsProjection,
  audit_events: auditEventsProjection,
  usage_by_day: usageByDayProjection,
  tenants: tenantsProjection,
  api_keys: apiKeysProjection,
  audit_reads: auditReadsProjection,
} as const satisfies Record<ProjectionName, Projection>;

export const PROJECTIONS: readonly Projection[] = Object.values(BY_NAME);
export const isProjectionName = (name: string): name is ProjectionName => Object.hasOwn(BY_NAME, name);
