import { IsoTime } from '@app/kernel';
import { sql, type Transaction } from 'kysely';
import {
  type AuditEventRow,
  type AuditHourRow,
  auditHours,
  type ReadTables,
} from '../../rows/read-tables.js';
import { arrayOf, writeRows } from '../../rows/write-rows.js';

type Event = Pick<AuditEventRow, 'tenant' | 'recorded_at' | 'position'>;

/**
 * Maintains the log positions at which each hour begins and ends, so that a time range becomes a position range.
 * Events must come in log order.
 */
export const widenHours = async (trx: Transaction<ReadTables>, all: readonly Event[]): Promise<void> => {
  const events = endsOfRuns(all);
  const known = await hoursFrom(trx, earliestOf(events));
  const tenants = new Map<string, Hours>();
  for (const event of events) {
    const { tenant } = event;
    const hours = tenants.get(tenant) ?? new Hours(tenant, known.get(tenant) ?? []);
    tenants.set(tenant, hours);
    hours.take(event);
  }
  const changed = [...tenants.values()].flatMap((hours) => [...hours.changed]);
  await writeRows(trx, auditHours, changed, 'replace');
};

/** Without events between two of the same tenant and hour, which widen nothing more. */
const endsOfRuns = (events: readonly Event[]): readonly Event[] =>
  events.filter((event, at) => !isSameRun(events[at - 1], event) || !isSameRun(events[at + 1], event));

const isSameRun = (one: Event | undefined, other: Event): boolean =>
  one !== undefined &&
  one.tenant === other.tenant &&
  one.recorded_at.startsWith(other.recorded_at.slice(0, HOUR_LENGTH));

const earliestOf = (events: readonly Event[]): ReadonlyMap<string, IsoTime> => {
  const earliest = new Map<string, IsoTime>();
  for (const { tenant, recorded_at } of events) {
    const hour = hourOf(recorded_at);
    if (hour < (earliest.get(tenant) ?? '~')) earliest.set(tenant, hour);
  }
  return earliest;
};

/** Per tenant the hours from a given one, in order: nearly always one or two, because clocks differ little. */
const hoursFrom = async (
  trx: Transaction<ReadTables>,
  earliest: ReadonlyMap<string, IsoTime>,
): Promise<ReadonlyMap<string, readonly AuditHourRow[]>> => {
  const from = [arrayOf('text', [...earliest.keys()]), arrayOf('time', [...earliest.values()])];
  const { rows } = await sql<ReadTables['audit_hours']>`
    select h.* from unnest(${sql.join(from)}) as k (tenant, hour)
    join audit_hours as h on h.tenant = k.tenant and h.hour >= k.hour order by h.hour`.execute(trx);
  const hours = new Map<string, AuditHourRow[]>();
  for (const row of rows) {
    const own = hours.get(row.tenant) ?? [];
    hours.set(row.tenant, own);
    own.push({ ...row, hour: IsoTime(row.hour) });
  }
  return hours;
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

  /** If an event of a later hour came first, this hour begins with it. */
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

const HOUR_LENGTH = '2026-11-21T09'.length;
const hourOf = (time: IsoTime): IsoTime => IsoTime(`${time.slice(0, HOUR_LENGTH)}:00:00.000Z`);
