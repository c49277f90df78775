import { table } from './table.js';
import { visibleLine } from './visible.js';
import { terminalWidth } from './wrapped.js';

export type Column<Row> = {
  readonly name: string;
  readonly of: (row: Row) => string | number | null;
  /** Aligns the cells to the right. */
  readonly isNumber?: boolean;
  /**
   * Characters to which cells may be cut; such a column is omitted if all its cells are empty. Absent: cells are never
   * cut.
   */
  readonly cutTo?: number;
};

const GAP = 2;

/** A column of a table with the text of its cells. */
type Candidate = {
  readonly name: string;
  readonly isNumber: boolean;
  readonly cells: readonly string[];
  /** Characters of its widest cell. */
  readonly natural: number;
  /** Minimum width in characters. */
  readonly least: number;
};

/**
 * Renders rows as a table that fits the terminal, or 80 columns without one. Always shows the first column and then
 * those that fit, in order. Columns with `cutTo` are cut with `…` and share the remaining width.
 */
export const fittingTable = <Row>(columns: readonly Column<Row>[], rows: readonly Row[]): string => {
  let room = terminalWidth() + GAP;
  const shown = columns
    .flatMap((column) => candidate(column, rows))
    .filter(({ least }, at) => {
      const isFitting = at === 0 || least + GAP <= room;
      if (isFitting) room -= least + GAP;
      return isFitting;
    });
  const sized = shown.map(({ name, isNumber, cells, natural, least }) => {
    const size = least + Math.min(natural - least, Math.max(0, room));
    room -= size - least;
    const text = (cell: string): string => (isNumber ? cell.padStart(size) : cut(cell, size));
    return { name: text(name), cells: cells.map(text) };
  });
  return table(
    sized.map(({ name }) => name),
    rows.map((_, at) => sized.map(({ cells }) => cells[at] ?? '')),
  );
};

const candidate = <Row>(
  { name, of, isNumber = false, cutTo }: Column<Row>,
  rows: readonly Row[],
): readonly Candidate[] => {
  const values = rows.map(of);
  if (cutTo !== undefined && values.every((value) => value === null)) return [];
  const cells = values.map((value) => (value === null ? '–' : visibleLine(String(value))));
  const natural = widest([name, ...cells]);
  return [
    { name, isNumber, cells, natural, least: Math.min(natural, Math.max(name.length, cutTo ?? natural)) },
  ];
};

const widest = (texts: readonly string[]): number => Math.max(...texts.map(({ length }) => length));

const cut = (text: string, size: number): string =>
  text.length <= size ? text : `${text.slice(0, size - 1)}…`;
