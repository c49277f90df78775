import { IsoTime, LogPosition } from '@app/kernel';
import type { ProjectionStatus } from '@app/ports';
import type { Kysely } from 'kysely';
import { PROJECTIONS } from '../projections/all.js';
import type { ReadTables } from '../rows/read-tables.js';

/** One for each projection, always in the same order. */
export const projectionStatus = async (db: Kysely<ReadTables>): Promise<readonly ProjectionStatus[]> => {
  const rows = await db
    .selectFrom('projection_checkpoint')
    .select(['projection', 'position', 'events', 'updated_at'])
    .limit(PROJECTIONS.length)
    .execute();
  return PROJECTIONS.map(({ name }) => {
    const row = rows.find(({ projection }) => projection === name);
    return {
      projection: name,
      position: row?.position == null ? null : LogPosition(row.position),
      events: Number(row?.events ?? 0n),
      updatedAt: row?.updated_at ? IsoTime(row.updated_at) : null,
    };
  });
};
