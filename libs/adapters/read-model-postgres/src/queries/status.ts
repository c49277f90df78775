import { IsoTime, LogPosition } from '@app/kernel';
import type { ProjectionStatus, ProjectionStop } from '@app/ports';
import type { Kysely, Selectable } from 'kysely';
import { PROJECTIONS } from '../projections/all.js';
import type { CheckpointTable, ReadTables } from '../rows/read-tables.js';

/** One for each projection, always in the same order. */
export const projectionStatus = async (db: Kysely<ReadTables>): Promise<readonly ProjectionStatus[]> => {
  const rows = await db.selectFrom('projection_checkpoint').selectAll().limit(PROJECTIONS.length).execute();
  return PROJECTIONS.map(({ name }) => {
    const row = rows.find(({ projection }) => projection === name);
    return {
      projection: name,
      position: row?.position == null ? null : LogPosition(row.position),
      events: Number(row?.events ?? 0n),
      updatedAt: row?.updated_at ? IsoTime(row.updated_at) : null,
      stopped: row ? stopOf(row) : null,
    };
  });
};

const stopOf = (row: Selectable<CheckpointTable>): ProjectionStop | null => {
  const { stopped_at, stopped_position, stopped_stream, stopped_revision, stopped_error } = row;
  if (stopped_at === null) return null;
  const event =
    stopped_position === null
      ? null
      : {
          position: LogPosition(stopped_position),
          stream: stopped_stream ?? '',
          revision: Number(stopped_revision ?? 0n),
        };
  return { at: IsoTime(stopped_at), event, error: stopped_error ?? 'unknown' };
};
