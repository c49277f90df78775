import { json } from './print.js';

/** RFC 4180, with a line of names first. A cell that a spreadsheet would take for a formula is quoted as text. */
export const csv = (columns: readonly string[], rows: readonly (readonly unknown[])[]): string =>
  [columns, ...rows].map((row) => row.map(cellOf).join(',')).join('\r\n');

const cellOf = (value: unknown): string => {
  if (value === null || value === undefined) return '';
  const text = typeof value === 'object' ? json(value) : String(value);
  const safe = /^[=+\-@\t\r]/.test(text) && typeof value === 'string' ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
};
