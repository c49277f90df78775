import type { FileOperations } from '@app/domain';

/** Heading of the file list, which is taken from tool calls and not written by a model. */
const HEADING = '## Files (from tool calls)';

/**
 * Appends to a summary the files that tool calls have changed, deleted, renamed and read, newest first, as far as there is
 * room. Replaces a list that the model has copied from an earlier summary.
 *
 * @param fits whether a summary is within its limit.
 */
export const withFileFooter = (
  summary: string,
  { read, modified, deleted = [], renamed = [] }: FileOperations,
  fits: (summary: string) => boolean,
): string => {
  const prose = withoutFooter(summary).trimEnd();
  const lines = [
    ...modified.toReversed().map((path) => `- modified: ${oneLine(path)}`),
    ...deleted.toReversed().map((path) => `- deleted: ${oneLine(path)}`),
    ...renamed.toReversed().map(({ from, to }) => `- renamed: ${oneLine(from)} -> ${oneLine(to)}`),
    ...read.toReversed().map((path) => `- read: ${oneLine(path)}`),
  ];
  const footer = (count: number): string => {
    const more = lines.length - count;
    const rest = more > 0 ? [`- and ${more} more`] : [];
    return [prose, '', HEADING, ...lines.slice(0, count), ...rest].join('\n');
  };
  const count = mostThatFit(lines.length, (some) => fits(footer(some)));
  return count === 0 ? prose : footer(count);
};

/** Returns the largest number up to `most` that fits, by binary search; 0 if none does. `fits` must be monotonic. */
const mostThatFit = (most: number, fits: (count: number) => boolean): number => {
  let [low, high] = [0, most];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (fits(middle)) low = middle;
    else high = middle - 1;
  }
  return low;
};

const withoutFooter = (summary: string): string => {
  const at = summary.startsWith(HEADING) ? 0 : summary.indexOf(`\n${HEADING}`);
  if (at < 0) return summary;
  const next = summary.indexOf('\n#', at + HEADING.length);
  return summary.slice(0, at) + (next < 0 ? '' : summary.slice(next));
};

const oneLine = (path: string): string => path.replace(/[\s\p{Cc}\p{Surrogate}]+/gu, ' ').trim();
