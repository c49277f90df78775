import { LABELS, type Line, list, type Section } from '../draft/section.js';
import type { Material } from '../material.js';
import { oneLine } from '../text/one-line.js';

const PATH_MAX = 300;
/** Changed files come before files that were only read, whatever their age. */
const MODIFIED_RANK = 10_000;

/** Files that tool calls read and changed, newest first as far as there is room, printed oldest first. */
export const filesSection = ({ request: { fileOperations } }: Material): Section => ({
  title: 'Files',
  groups: [
    list(linesOf(fileOperations.modified, MODIFIED_RANK), LABELS.modified),
    list(linesOf(fileOperations.read, 0), LABELS.read),
  ],
});

const linesOf = (paths: readonly string[], rank: number): readonly Line[] =>
  paths.map((path, at) => ({ text: oneLine(path, PATH_MAX), rank: rank + at }));
