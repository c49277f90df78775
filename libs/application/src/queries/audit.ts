import { csvLine, jsonText } from '@app/formats';
import type { AuditFilter, AuditPlace, AuditRow, AuditSort, ReadModels } from '@app/ports';
import { Moment } from '../sessions/readers/moment.js';

const BATCH_ROWS = 1_000;

export type AuditRead = AuditFilter & {
  readonly sort?: AuditSort;
  /** All rows by default. */
  readonly limit?: number;
};

/**
 * Yields all matching rows in batches. Each batch is queried when the reader has taken the previous one; no connection is held
 * in between. The first batch alone waits for the rows of the tenant's own writes.
 */
export async function* auditBatches(
  readModels: Pick<ReadModels, 'audit'>,
  { limit = Number.POSITIVE_INFINITY, ...filter }: AuditRead,
): AsyncGenerator<readonly AuditRow[]> {
  const moment = new Moment();
  let after: AuditPlace | undefined;
  for (let left = limit; left > 0; ) {
    const size = Math.min(BATCH_ROWS, left);
    const query = { ...filter, ...(after && { after }), limit: size };
    const rows = await moment.run(() => readModels.audit(query));
    if (rows.length > 0) yield rows;
    if (rows.length < size) return;
    after = rows.at(-1);
    left -= rows.length;
  }
}

export const EXPORT_FORMATS = ['ndjson', 'csv'] as const;
export type ExportFormat = (typeof EXPORT_FORMATS)[number];

/** Columns of the CSV export in order; new ones are added before the payload. */
const COLUMNS = [
  'position',
  'recordedAt',
  'session',
  'revision',
  'type',
  'actor',
  'compactionId',
  'correlationId',
  'trigger',
  'outcome',
  'profile',
  'model',
  'payload',
] as const satisfies readonly (keyof AuditRow)[];

/** Yields rows as text, one batch at a time; CSV starts with a header line. */
export async function* auditLines(
  format: ExportFormat,
  batches: AsyncIterable<readonly AuditRow[]>,
): AsyncGenerator<string> {
  if (format === 'csv') yield csvLine(COLUMNS);
  for await (const rows of batches) yield rows.map(format === 'csv' ? csvOf : lineOf).join('');
}

const csvOf = (row: AuditRow): string => csvLine(COLUMNS.map((column) => row[column]));
const lineOf = (row: AuditRow): string => `${jsonText(row)}\n`;
