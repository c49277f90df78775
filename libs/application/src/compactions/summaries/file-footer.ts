import type { FileOperations } from '@app/domain';

/** Under it stand the files that tool calls name: no model has written them. */
const HEADING = '## Files (from tool calls)';

/**
 * A summary with the files that tool calls have changed, deleted, renamed and read behind it, the newest of each as far
 * as there is room. Files that a model has taken over from an earlier footer are replaced.
 *
 * @param fits whether a summary is small enough.
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

/** The largest number up to `most` that fits, where every smaller one does; 0 where none does. */
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
