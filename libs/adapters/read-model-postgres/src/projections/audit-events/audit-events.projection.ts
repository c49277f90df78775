import { type AuditEventRow, auditEvents } from '../../rows/read-tables.js';
import { writeRows } from '../../rows/write-rows.js';
import { compactionIdOf } from '../compactions/fold-compaction.js';
import type { Projection, SessionLogEvent } from '../projection.js';
import { auditPayload } from './audit-payload.js';

/** One row for each event, for people who ask what happened, when, and by whom. */
export const auditEventsProjection: Projection = {
  name: 'audit_events',
  tables: [auditEvents.name],
  apply: (trx, events) => writeRows(trx, auditEvents, events.map(rowOf), 'keep'),
};

const rowOf = ({
  position,
  tenant,
  session,
  revision,
  recordedAt,
  context,
  event,
}: SessionLogEvent): AuditEventRow => ({
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
  payload: auditPayload(event),
});
