import { PROJECTION_NAMES, type ProjectionName } from '@app/ports';
import { auditEventsProjection } from './audit-events/audit-events.projection.js';
import type { SearchDigests } from './audit-events/losses.js';
import { compactionsProjection, compactionTurnsProjection } from './compactions/compactions.projection.js';
import type { Projection } from './projection.js';
import { sessionsProjection } from './sessions/sessions.projection.js';
import { apiKeysProjection, auditReadsProjection, tenantsProjection } from './tenants.projection.js';
import { usageByDayProjection } from './usage/usage-by-day.projection.js';

/** @param digests of losses, which compactions are searched by. */
const byName = (digests: SearchDigests) =>
  ({
    sessions: sessionsProjection,
    compactions: compactionsProjection,
    compaction_turns: compactionTurnsProjection,
    audit_events: auditEventsProjection(digests),
    usage_by_day: usageByDayProjection,
    tenants: tenantsProjection,
    api_keys: apiKeysProjection,
    audit_reads: auditReadsProjection,
  }) as const satisfies Record<ProjectionName, Projection>;

/** All projections, in the order in which they are applied. */
export const projectionsWith = (digests: SearchDigests): readonly Projection[] =>
  Object.values(byName(digests));
export const isProjectionName = (name: string): name is ProjectionName =>
  PROJECTION_NAMES.some((one) => one === name);
