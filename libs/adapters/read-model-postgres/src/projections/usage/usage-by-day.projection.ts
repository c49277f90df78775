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
import { amountsIn, NOTHING, plus } from './amounts.js';

const SURROUNDINGS = surroundingTables('usage');

/** One row per day, source, model and profile of a tenant, and one of each session: usage, and savings of compactions. */
export const usageByDayProjection: Projection = {
  name: 'usage_by_day',
  tables: [usageByDay.name, usageBySession.name, SURROUNDINGS.sessions.name, SURROUNDINGS.compactions.name],
  apply: async (trx, events) => {
    const surroundings = await SurroundingsReader.load(trx, SURROUNDINGS, events);
    const rows = events.flatMap((recorded): readonly UsageBySessionRow[] => {
      const around = surroundings.of(recorded);
      const { tenant, session, recordedAt } = recorded;
      return amountsIn(recorded.event, around).map(({ model, source, at, amounts }) => ({
        tenant,
        session,
        source,
        day: dayOf(at ?? recordedAt),
        model: storableText(model ?? ''),
        profile: around.profile ?? '',
        ...amounts,
      }));
    });
    await add(trx, usageByDay, rows);
    await add(trx, usageBySession, rows);
    await surroundings.save(trx);
  },
};

/** Adds the amounts of rows to those of the table's row with the same key. */
const add = async (
  trx: Transaction<ReadTables>,
  table: Table<typeof usageByDay.columns>,
  rows: readonly UsageBySessionRow[],
): Promise<void> => {
  const keyOf = (row: UsageByDayRow): readonly unknown[] =>
    table.key.map((column) => ownMember<unknown>(row, column));
  const nameOf = (row: UsageByDayRow): string => JSON.stringify(keyOf(row));
  const sums = new Map<string, UsageBySessionRow>();
  for (const row of rows) {
    const name = nameOf(row);
    sums.set(name, { ...row, ...plus(sums.get(name) ?? NOTHING, row) });
  }
  for (const stored of await loadRows(trx, table, [...sums.values()].map(keyOf))) {
    const news = sums.get(nameOf(stored));
    if (news) sums.set(nameOf(stored), { ...news, ...plus(stored, news) });
  }
  await writeRows(trx, table, [...sums.values()], 'replace');
};

const dayOf = (at: IsoTime): string => at.slice(0, '2026-11-21'.length);
