import { csvLine, jsonText } from '@app/formats';
import type { AuditRow } from '@app/ports';

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
