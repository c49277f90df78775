import { visibleLine } from './visible.js';

/** Renders rows in columns; numbers are aligned to the right. */
export const table = (columns: readonly string[], rows: readonly (readonly unknown[])[]): string => {
  const cells = rows.map((row) =>
    row.map((cell) => (cell === null || cell === undefined ? '–' : visibleLine(String(cell)))),
  );
  const widths = columns.map((name, at) =>
    Math.max(name.length, ...cells.map((row) => (row[at] ?? '').length)),
  );
  const isNumber = columns.map(
    (_, at) => rows.length > 0 && rows.every((row) => typeof row[at] === 'number'),
  );
  const line = (row: readonly string[]): string =>
    row
      .map((cell, at) => (isNumber[at] ? cell.padStart(widths[at] ?? 0) : cell.padEnd(widths[at] ?? 0)))
      .join('  ')
      .trimEnd();
  return [line(columns), ...cells.map(line)].join('\n');
};
