import { type IsoTime, ownMember } from '@app/kernel';
import type { Transaction } from 'kysely';
import type { Table } from '../../rows/kinds.js';
import {
  type ReadTables,
  type UsageByDayRow,
  type UsageBySessionRow,
  usageByDay,
  usageBySession,
} from '../../rows/read-tables.js';
import { storableText } from '../../rows/storable.js';
import { loadRows, writeRows } from '../../rows/write-rows.js';
import type { Projection } from '../projection.js';
import { SurroundingsReader, surroundingTables } from '../surroundings.js';
import { addTo, amountsIn } from './amounts.js';

const SURROUNDINGS = surroundingTables('usage');

/** One row per day, source, model and profile of a tenant, and one of each session: usage, and savings of compactions. */
export const usageByDayProjection: Projection = {
  name: 'usage_by_day',
  tables: [usageByDay.name, usageBySession.name, SURROUNDINGS.sessions.name, SURROUNDINGS.compactions.name],
  apply: async (trx, events) => {
    const surroundings = await SurroundingsReader.load(trx, SURROUNDINGS, events);
    const rows = new Sums(usageBySession);
    for (const recorded of events) {
      const around = surroundings.of(recorded);
      const { tenant, session, recordedAt } = recorded;
      for (const { model, source, at, amounts } of amountsIn(recorded.event, around))
        rows.add({
          tenant,
          session,
          source,
          day: dayOf(at ?? recordedAt),
          model: storableText(model ?? ''),
          profile: around.profile ?? '',
          ...amounts,
        });
    }
    await add(trx, usageByDay, rows.all);
    await add(trx, usageBySession, rows.all);
    await surroundings.save(trx);
  },
};

type Sum = { -readonly [Column in keyof UsageBySessionRow]: UsageBySessionRow[Column] };

/** Rows with the sums of amounts by the key of a table. */
class Sums {
  readonly #byName = new Map<string, Sum>();

  constructor(private readonly table: Table<typeof usageByDay.columns>) {}

  get all(): readonly UsageBySessionRow[] {
    return [...this.#byName.values()];
  }

  keyOf(row: UsageByDayRow): readonly unknown[] {
    return this.table.key.map((column) => ownMember<unknown>(row, column));
  }

  add(row: UsageBySessionRow): void {
    const name = this.#nameOf(row);
    const sum = this.#byName.get(name);
    if (sum) addTo(sum, row);
    else this.#byName.set(name, { ...row });
  }

  /** Adds the amounts of a stored row, if one here has its key. */
  addStored(row: UsageByDayRow): void {
    const sum = this.#byName.get(this.#nameOf(row));
    if (sum) addTo(sum, row);
  }

  #nameOf(row: UsageByDayRow): string {
    return JSON.stringify(this.keyOf(row));
  }
}

/** Adds the amounts of rows to those of the table's row with the same key. */
const add = async (
  trx: Transaction<ReadTables>,
  table: Table<typeof usageByDay.columns>,
  rows: readonly UsageBySessionRow[],
): Promise<void> => {
  const sums = new Sums(table);
  for (const row of rows) sums.add(row);
  for (const stored of await loadRows(
    trx,
    table,
    sums.all.map((row) => sums.keyOf(row)),
  ))
    sums.addStored(stored);
  await writeRows(trx, table, sums.all, 'replace');
};

const dayOf = (at: IsoTime): string => at.slice(0, '2026-11-21'.length);
