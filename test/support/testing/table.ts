/** Returns a Markdown table with aligned columns, as the formatter writes it; the first row is the header. */
export const tableText = (rows: readonly (readonly string[])[]): string => {
  const widths = (rows[0] ?? []).map((_, at) => Math.max(3, ...rows.map((row) => widthOf(row[at]))));
  const lines = rows.map((row) => lineOf(widths.map((width, at) => padded(row[at], width))));
  return [lines[0], lineOf(widths.map((width) => '-'.repeat(width))), ...lines.slice(1)].join('\n');
};

const lineOf = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;
const widthOf = (cell = ''): number => [...cell].length;
const padded = (cell = '', width: number): string => cell + ' '.repeat(width - widthOf(cell));
