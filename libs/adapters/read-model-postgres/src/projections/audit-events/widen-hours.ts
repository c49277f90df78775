import { IsoTime } from '@app/kernel';
import { sql, type Transaction } from 'kysely';
import {
  type AuditEventRow,
  type AuditHourRow,
  auditHours,
  type ReadTables,
} from '../../rows/read-tables.js';
import { writeRows } from '../../rows/write-rows.js';

type Event = Pick<AuditEventRow, 'tenant' | 'recorded_at' | 'position'>;

/**
 * Notes where in the log the events of an hour or a later one begin, and where those of it or an earlier one end, these
 * among them: a range of time is then looked up by its two ends alone. They come in the order of the log, so that none
 * of them comes before what has begun.
 */
export const widenHours = async (trx: Transaction<ReadTables>, events: readonly Event[]): Promise<void> => {
  const changed: AuditHourRow[] = [];
  for (const tenant of new Set(events.map((event) => event.tenant))) {
    const own = events.filter((event) => event.tenant === tenant);
    const [earliest] = own.map(({ recorded_at }) => hourOf(recorded_at)).sort();
    const hours = new Hours(tenant, earliest === undefined ? [] : await hoursFrom(trx, tenant, earliest));
    for (const event of own) hours.take(event);
    changed.push(...hours.changed);
  }
  await writeRows(trx, auditHours, changed, 'replace');
};

/** Nearly always one or two: the clocks of those who record differ by little. */
const hoursFrom = async (
  trx: Transaction<ReadTables>,
  tenant: string,
  hour: IsoTime,
): Promise<readonly AuditHourRow[]> => {
  const rows = await trx
    .selectFrom('audit_hours')
    .selectAll()
    .where('tenant', '=', tenant)
    .where('hour', '>=', sql<Date>`${hour}::timestamptz`)
    .orderBy('hour')
    .execute();
  return rows.map((row) => ({ ...row, hour: IsoTime(row.hour) }));
};

/** A tenant's hours from one on, in their order. */
class Hours {
  readonly changed = new Set<AuditHourRow>();
  readonly #rows: { -readonly [Column in keyof AuditHourRow]: AuditHourRow[Column] }[];

  constructor(
    private readonly tenant: string,
    known: readonly AuditHourRow[],
  ) {
    this.#rows = known.map((row) => ({ ...row }));
  }

  take({ recorded_at, position }: Event): void {
    const hour = hourOf(recorded_at);
    for (const row of this.#rows.slice(this.#placeOf(hour, position))) {
      if (row.last_position < position) row.last_position = position;
      this.changed.add(row);
    }
  }

  /** Where an event of a later hour came first, an hour begins with it: so does all from this hour on. */
  #placeOf(hour: IsoTime, position: bigint): number {
    const before = this.#rows.findLastIndex((row) => row.hour <= hour);
    if (this.#rows[before]?.hour === hour) return before;
    const first_position = this.#rows[before + 1]?.first_position ?? position;
    this.#rows.splice(before + 1, 0, {
      tenant: this.tenant,
      hour,
      first_position,
      last_position: position,
    });
    return before + 1;
  }
}

const hourOf = (time: IsoTime): IsoTime => IsoTime(`${time.slice(0, '2026-11-21T09'.length)}:00:00.000Z`);
