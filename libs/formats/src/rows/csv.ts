import { jsonText } from './json-text.js';

/**
 * A line of RFC 4180, its end included; `null` is an empty cell, and an object its JSON. A cell that a spreadsheet would
 * take for a formula is quoted as text.
 */
export const csvLine = (cells: readonly unknown[]): string => `${cells.map(cellOf).join(',')}\r\n`;

const cellOf = (value: unknown): string => {
  if (value === null || value === undefined) return '';
  const text = typeof value === 'object' ? jsonText(value) : String(value);
  const safe = typeof value === 'string' && /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
};
