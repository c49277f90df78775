import { table } from './table.js';
import { visibleLine } from './visible.js';

export type Column<Row> = {
  readonly name: string;
  readonly of: (row: Row) => string | number | null;
  /** Whether its cells stand to the right. */
  readonly isNumber?: boolean;
  /** Whether its cells may be cut; it is left out where no row has a value. */
  readonly isFlexible?: boolean;
};

const GAP = 2;
/** The fewest characters that a cut cell is worth showing with. */
const LEAST = 8;
/** Characters of a line where the terminal does not tell. */
const WIDTH = 80;

/**
 * Returns rows as a table that fits the terminal, or 80 columns where there is none. The first column is never cut; of the
 * others, the first ones that fit are shown, and flexible ones are cut with `…`.
 */
export const fittingTable = <Row>(
  columns: readonly Column<Row>[],
  rows: readonly Row[],
  width = terminalWidth(),
): string => {
  const shown: { readonly name: string; readonly cells: readonly string[] }[] = [];
  let left = width + GAP;
  for (const column of columns) {
    const values = rows.map((row) => column.of(row));
    if (column.isFlexible && values.every((value) => value === null)) continue;
    const cells = values.map((value) => (value === null ? '–' : visibleLine(String(value))));
    const natural = widest([column.name, ...cells]);
    const room = left - GAP;
    const size = column.isFlexible ? Math.min(natural, room) : natural;
    const isTooNarrow = size < Math.min(natural, Math.max(LEAST, column.name.length));
    if (shown.length > 0 && (size > room || isTooNarrow)) continue;
    left -= size + GAP;
    const name = column.isNumber ? column.name.padStart(size) : column.name;
    const aligned = cells.map((cell) => (column.isNumber ? cell.padStart(size) : cut(cell, size)));
    shown.push({ name, cells: aligned });
  }
  return table(
    shown.map(({ name }) => name),
    rows.map((_, at) => shown.map(({ cells }) => cells[at] ?? '')),
  );
};

const widest = (texts: readonly string[]): number => Math.max(...texts.map(({ length }) => length));

const cut = (text: string, size: number): string =>
  text.length <= size ? text : `${text.slice(0, size - 1)}…`;

const terminalWidth = (): number => {
  const given = process.stdout.columns ?? Number(process.env.COLUMNS);
  return Number.isSafeInteger(given) && given > 0 ? given : WIDTH;
};
