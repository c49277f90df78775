import type { AuditFilter, AuditPlace, AuditRow, AuditSort, ReadModels } from '@app/ports';

const BATCH_ROWS = 1_000;

export type AuditRead = AuditFilter & {
  readonly sort?: AuditSort;
  /** All rows by default. */
  readonly limit?: number;
};

/**
 * Yields all matching rows in batches. Each batch is queried when the reader has taken the previous one; no connection is held
 * in between.
 */
export async function* auditBatches(
  readModels: Pick<ReadModels, 'audit'>,
  { limit = Number.POSITIVE_INFINITY, ...filter }: AuditRead,
): AsyncGenerator<readonly AuditRow[]> {
  let after: AuditPlace | undefined;
  for (let left = limit; left > 0; ) {
    const size = Math.min(BATCH_ROWS, left);
    const rows = await readModels.audit({ ...filter, ...(after && { after }), limit: size });
    if (rows.length > 0) yield rows;
    if (rows.length < size) return;
    after = rows.at(-1);
    left -= rows.length;
  }
}
