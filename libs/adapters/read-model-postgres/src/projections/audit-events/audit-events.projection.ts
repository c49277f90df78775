import { type AuditEventRow, auditEvents, auditHours } from '../../rows/read-tables.js';
import { writeRows } from '../../rows/write-rows.js';
import { compactionIdOf } from '../compactions/fold-compaction.js';
import type { Projection, SessionLogEvent } from '../projection.js';
import { outcomeOf } from '../surroundings/outcome.js';
import { type Surroundings, SurroundingsReader } from '../surroundings/surroundings.js';
import { surroundingTables } from '../surroundings/tables.js';
import { auditPayload } from './audit-payload.js';
import { widenHours } from './widen-hours.js';

const SURROUNDINGS = surroundingTables('audit');

/** One row for each event, for people who ask what happened, when, and by whom. */
export const auditEventsProjection: Projection = {
  name: 'audit_events',
  tables: [auditEvents.name, auditHours.name, SURROUNDINGS.sessions.name, SURROUNDINGS.compactions.name],
  apply: async (trx, events) => {
    const surroundings = await SurroundingsReader.load(trx, SURROUNDINGS, events);
    const rows = events.map((recorded) => rowOf(recorded, surroundings.of(recorded)));
    // A row that is there comes from before a migration that gave it more columns: an event itself never changes.
    await writeRows(trx, auditEvents, rows, 'replace');
    await widenHours(trx, rows);
    await surroundings.save(trx);
  },
};

const rowOf = (
  { position, tenant, session, revision, recordedAt, context, event }: SessionLogEvent,
  { trigger, profile, model }: Surroundings,
): AuditEventRow => ({
  position,
  tenant,
  session,
  revision,
  type: event.type,
  recorded_at: recordedAt,
  actor: context.actor,
  correlation: context.correlationId,
  causation: context.causationId ?? null,
  compaction: compactionIdOf(event) ?? null,
  trigger,
  outcome: outcomeOf(event.type),
  profile,
  model: event.type === 'UsageReported' ? event.data.model : model,
  payload: auditPayload(event),
});
