import { appendFileSync } from 'node:fs';

/** A file that gets each report as a line of JSON, for `scripts/bench.mjs --record`. */
const RECORD = process.env.PALIMPSEST_BENCH_RECORD;

/** Exit status of a benchmark that measured everything and missed a promise: its result is recorded as well. */
export const MISSED = 4;

/** Prints a benchmark's result: a headline, and a table with details. */
export const report = (headline: string, header: readonly string[], rows: readonly (readonly string[])[]) => {
  if (RECORD !== undefined) appendFileSync(RECORD, `${JSON.stringify({ headline, header, rows })}\n`);
  const widths = header.map((title, column) =>
    Math.max(title.length, ...rows.map((row) => row[column]?.length ?? 0)),
  );
  const line = (cells: readonly string[]): string =>
    cells
      .map((cell, column) =>
        column === 0 ? cell.padEnd(widths[0] ?? 0) : cell.padStart(widths[column] ?? 0),
      )
      .join('   ');
  const table = [header, ...rows].map((row) => `  ${line(row).trimEnd()}\n`).join('');
  process.stdout.write(`\n${headline}\n\n${table}\n`);
};

/** Prints progress to stderr. */
export const note = (text: string): void => void process.stderr.write(`${text}\n`);

export const whole = (value: number): string => Math.round(value).toLocaleString('en-US');
export const fixed = (value: number, digits = 2): string => value.toFixed(digits);
