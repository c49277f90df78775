import { setImmediate as yieldToLoop } from 'node:timers/promises';
import { isReadEvent } from '@app/domain';
import type { JsonObject } from '@app/kernel';
import { nullsOf } from '../../rows/kinds.js';
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
    let writing = Promise.resolve();
    try {
      for (let at = 0; at < events.length; at += STRETCH) {
        const made = await rowsOf(events.slice(at, at + STRETCH), surroundings, digests);
        rows.push(...made);
        await writing;
        // An existing row predates a migration with more columns: events themselves never change.
        writing = writeRows(trx, auditEvents, made, 'replace');
        writing.catch(() => {}); // It is waited for below.
        await yieldToLoop();
      }
    } finally {
      await writing;
    }
    await widenHours(trx, rows);
    await surroundings.save(trx);
  },
});

/** Events whose rows are sent together: the database writes them while the next ones are made. */
const STRETCH = 500;

const rowsOf = async (
  events: readonly (SessionLogEvent | TenantLogEvent)[],
  surroundings: SurroundingsReader,
  digests: SearchDigests,
): Promise<readonly AuditEventRow[]> => {
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
  return rows;
};

const rowOf = (
  recorded: SessionLogEvent,
  { trigger, profile, model }: Surroundings,
  payload: JsonObject,
): AuditEventRow => {
  const { position, tenant, session, revision, recordedAt, context, event } = recorded;
  return {
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
    occupancy: occupancyAfter(recorded) ?? null,
    payload,
  };
};

const decisionRow = ({
  position,
  tenant,
  revision,
  recordedAt,
  context,
  event,
}: TenantLogEvent): readonly AuditEventRow[] => {
  if (isReadEvent(event)) return [];
  return [
    {
      ...NULLS,
      position,
      tenant,
      revision,
      type: event.type,
      recorded_at: recordedAt,
      actor: context.actor,
      correlation: context.correlationId,
      causation: context.causationId ?? null,
      payload: decisionPayload(event),
    },
  ];
};

const NULLS = nullsOf(auditEvents);
