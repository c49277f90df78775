import type { IsoTime } from '@app/kernel';
import { loadRows } from '../../rows/load-rows.js';
import { storableText } from '../../rows/storable.js';
import { type UsageByDayRow, usageByDay } from '../../rows/usage-tables.js';
import { writeRows } from '../../rows/write-rows.js';
import type { Projection } from '../projection.js';
import { SurroundingsReader } from '../surroundings/surroundings.js';
import { surroundingTables } from '../surroundings/tables.js';
import { type Amounts, amountsIn, NOTHING, plus } from './amounts.js';

const SURROUNDINGS = surroundingTables('usage');

/** One row per day, source, model and profile of a tenant: usage, and savings of compactions. */
export const usageByDayProjection: Projection = {
  name: 'usage_by_day',
  tables: [usageByDay.name, SURROUNDINGS.sessions.name, SURROUNDINGS.compactions.name],
  apply: async (trx, events) => {
    const surroundings = await SurroundingsReader.load(trx, SURROUNDINGS, events);
    const days = new Map<string, UsageByDayRow>();
    for (const recorded of events) {
      const around = surroundings.of(recorded);
      for (const { model, source, at, amounts } of amountsIn(recorded.event, around)) {
        const key = {
          tenant: recorded.tenant,
          day: dayOf(at ?? recorded.recordedAt),
          source,
          model: storableText(model ?? ''),
          profile: around.profile ?? '',
        };
        days.set(nameOf(key), { ...key, ...plus(days.get(nameOf(key)) ?? NOTHING, amounts) });
      }
    }
    const keys = [...days.values()].map(({ tenant, day, source, model, profile }) => [
      ...[tenant, day, source, model, profile],
    ]);
    for (const row of await loadRows(trx, usageByDay, keys)) {
      const news: Amounts = days.get(nameOf(row)) ?? NOTHING;
      days.set(nameOf(row), { ...row, ...plus(row, news) });
    }
    await writeRows(trx, usageByDay, [...days.values()], 'replace');
    await surroundings.save(trx);
  },
};

const dayOf = (at: IsoTime): string => at.slice(0, '2026-11-21'.length);
const nameOf = ({ tenant, day, source, model, profile }: Omit<UsageByDayRow, keyof Amounts>): string =>
  JSON.stringify([tenant, day, source, model, profile]);
