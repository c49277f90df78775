import { type Item, itemsOf } from '../facts/previous.js';
import { LABELS, type Line, list, type Section } from '../facts/section.js';
import type { Material } from '../material.js';
import { oneLine } from '../text/one-line.js';

const PATH_MAX = 300;
/** Changed files rank before files that were only read, at any age. */
const MODIFIED_RANK = 10_000;
/** Files that are gone come between the two. */
const GONE_RANK = 5_000;

/**
 * Returns the files that tool calls read, changed, deleted and renamed: newest first while there is room, printed
 * oldest first.
 */
export const filesSection = ({ request: { fileOperations }, previous }: Material): Section => {
  const before = itemsOf(previous, 'Files');
  const { deleted = [], renamed = [] } = fileOperations;
  const gone = [...deleted, ...renamed.map(({ from }) => from)];
  const modified = withEarlier(before, LABELS.modified, fileOperations.modified, gone);
  const read = withEarlier(before, LABELS.read, fileOperations.read, [...modified, ...gone]);
  const changed = tailsOf(modified);
  const onlyRead = read.filter((path) => !changed.has(path));
  const moved = renamed.map(({ from, to }) => `${from} -> ${to}`);
  return {
    title: 'Files',
    groups: [
      list(linesOf(modified, MODIFIED_RANK), LABELS.modified),
      list(
        linesOf(withEarlier(before, LABELS.deleted, deleted, fileOperations.modified), GONE_RANK),
        LABELS.deleted,
      ),
      list(linesOf(withEarlier(before, LABELS.renamed, moved, []), GONE_RANK), LABELS.renamed),
      list(linesOf(onlyRead, 0), LABELS.read),
    ],
  };
};

/** Adds the files under `label` of an earlier summary, whose origin is unknown. */
const withEarlier = (
  before: readonly Item[],
  label: string,
  paths: readonly string[],
  others: readonly string[],
): readonly string[] => {
  const known = new Set([...paths, ...others]);
  const earlier = before.filter((item) => item.label === label && !known.has(item.text));
  return [...earlier.map(({ text }) => text), ...paths];
};

/**
 * Returns names of changed files relative to parent folders. A bare name is left out, because it may be another file.
 */
const tailsOf = (paths: readonly string[]): ReadonlySet<string> => {
  const tails = new Set<string>();
  for (const path of paths)
    for (let at = path.indexOf('/'); at >= 0; at = path.indexOf('/', at + 1)) {
      const tail = path.slice(at + 1);
      if (tail.includes('/')) tails.add(tail);
    }
  return tails;
};

const linesOf = (paths: readonly string[], rank: number): readonly Line[] =>
  paths.map((path, at) => ({ text: oneLine(path, PATH_MAX), rank: rank + at }));
