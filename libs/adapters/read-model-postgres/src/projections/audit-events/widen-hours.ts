import { IsoTime } from '@app/kernel';
import type { Transaction } from 'kysely';
import { loadRows } from '../../rows/load-rows.js';
import {
  type AuditEventRow,
  type AuditHourRow,
  auditHours,
  type ReadTables,
} from '../../rows/read-tables.js';
import { writeRows } from '../../rows/write-rows.js';

/** Notes between which positions the events of each hour stand, these among them. */
export const widenHours = async (
  trx: Transaction<ReadTables>,
  events: readonly Pick<AuditEventRow, 'tenant' | 'recorded_at' | 'position'>[],
): Promise<void> => {
  const seen = new Map<string, AuditHourRow>();
  for (const { tenant, recorded_at, position } of events) {
    const row = { tenant, hour: hourOf(recorded_at), first_position: position, last_position: position };
    seen.set(keyOf(row), merged(seen.get(keyOf(row)), row));
  }
  const keys = [...seen.values()].map(({ tenant, hour }) => [tenant, hour]);
  for (const known of await loadRows(trx, auditHours, keys)) {
    seen.set(keyOf(known), merged(seen.get(keyOf(known)), known));
  }
  await writeRows(trx, auditHours, [...seen.values()], 'replace');
};

const hourOf = (time: IsoTime): IsoTime => IsoTime(`${time.slice(0, '2026-11-21T09'.length)}:00:00.000Z`);
const keyOf = ({ tenant, hour }: AuditHourRow): string => `${tenant} ${hour}`;

const merged = (a: AuditHourRow | undefined, b: AuditHourRow): AuditHourRow => ({
  ...b,
  first_position: a && a.first_position < b.first_position ? a.first_position : b.first_position,
  last_position: a && a.last_position > b.last_position ? a.last_position : b.last_position,
});
