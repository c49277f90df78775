/** Columns of a terminal that reports none. */
const WIDTH = 80;

/** Returns the columns of the terminal, or 80 without one. */
export const terminalWidth = (): number => {
  const columns = process.stdout.columns ?? Number(process.env.COLUMNS);
  return Number.isSafeInteger(columns) && columns > 0 ? columns : WIDTH;
};

/**
 * Breaks a line at spaces into lines of at most `width` characters. Keeps the indentation of the first line and indents
 * the others by `indent` spaces. Longer words, such as paths and IDs, stay whole.
 */
export const wrapped = (line: string, indent = 0, width = terminalWidth()): string => {
  if (line.length <= width) return line;
  const [start = ''] = /^ */.exec(line) ?? [];
  const lines: string[] = [];
  let current = start;
  for (const word of line.slice(start.length).split(' ')) {
    const isStart = current.trim() === '';
    if (!isStart && current.length + 1 + word.length > width) {
      lines.push(current.trimEnd());
      current = `${' '.repeat(indent)}${word}`;
    } else current = isStart ? `${current}${word}` : `${current} ${word}`;
  }
  return [...lines, current.trimEnd()].join('\n');
};
