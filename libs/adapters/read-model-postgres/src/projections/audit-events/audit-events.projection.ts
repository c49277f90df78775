import { isReadEvent } from '@app/domain';
import type { JsonObject } from '@app/kernel';
import { type AuditEventRow, auditEvents, auditHours } from '../../rows/read-tables.js';
import { writeRows } from '../../rows/write-rows.js';
import { compactionIdOf } from '../compactions/fold-compaction.js';
import {
  isOfSession,
  occupancyAfter,
  type Projection,
  type SessionLogEvent,
  type TenantLogEvent,
} from '../projection.js';
import { outcomeOf, type Surroundings, SurroundingsReader, surroundingTables } from '../surroundings.js';
import { rowPayload, type SearchDigests } from './losses.js';
import { decisionPayload } from './tenant-payloads.js';
import { widenHours } from './widen-hours.js';

const SURROUNDINGS = surroundingTables('audit');

/**
 * One row per session event and tenant decision: its type, time and actor. Reads have their own table.
 *
 * @param digests of losses, which compactions are searched by.
 */
export const auditEventsProjection = (digests: SearchDigests): Projection => ({
  name: 'audit_events',
  tables: [auditEvents.name, auditHours.name, SURROUNDINGS.sessions.name, SURROUNDINGS.compactions.name],
  applyAll: async (trx, events) => {
    const surroundings = await SurroundingsReader.load(trx, SURROUNDINGS, events.filter(isOfSession));
    const rows: AuditEventRow[] = [];
    for (const recorded of events) {
      if (!isOfSession(recorded)) {
        rows.push(...decisionRow(recorded));
        continue;
      }
      const payload = rowPayload(recorded.tenant, recorded.event, digests);
      const ready = payload instanceof Promise ? await payload : payload;
      rows.push(rowOf(recorded, surroundings.of(recorded), ready));
    }
    // An existing row predates a migration with more columns: events themselves never change.
    await writeRows(trx, auditEvents, rows, 'replace');
    await widenHours(trx, rows);
    await surroundings.save(trx);
  },
});

const rowOf = (
  recorded: SessionLogEvent,
  { trigger, profile, model }: Surroundings,
  payload: JsonObject,
): AuditEventRow => {
  const { session, event } = recorded;
  return {
    ...placeOf(recorded),
    session,
    type: event.type,
    compaction: compactionIdOf(event) ?? null,
    trigger,
    outcome: outcomeOf(event.type),
    profile,
    model: event.type === 'UsageReported' ? event.data.model : model,
    occupancy: occupancyAfter(recorded) ?? null,
    payload,
  };
};

const decisionRow = (recorded: TenantLogEvent): readonly AuditEventRow[] => {
  const { event } = recorded;
  if (isReadEvent(event)) return [];
  return [{ ...placeOf(recorded), ...NONE, type: event.type, payload: decisionPayload(event) }];
};

const NONE = {
  session: null,
  compaction: null,
  trigger: null,
  outcome: null,
  profile: null,
  model: null,
  occupancy: null,
} as const;

const placeOf = ({ position, tenant, revision, recordedAt, context }: SessionLogEvent | TenantLogEvent) => ({
  position,
  tenant,
  revision,
  recorded_at: recordedAt,
  actor: context.actor,
  correlation: context.correlationId,
  causation: context.causationId ?? null,
});
