import { safeEnd } from '@app/kernel';
import { REQUIRED_SECTIONS, requiredHeading } from './sections.js';

/** A paragraph with its heading; `apart` if a blank line precedes it. */
type Block = { readonly lines: readonly string[]; readonly apart: boolean; readonly section?: string };

/**
 * Returns the longest beginning of a summary that `fits`: whole paragraphs, then whole lines of the next one. The
 * required sections stay, each with the beginning of its first paragraph; a line is cut, between two characters, only
 * as a last resort. `undefined` if the headings alone do not fit.
 *
 * @param fits must be monotonic: true for every text shorter than a fitting one.
 */
export const truncateSummary = (text: string, fits: (text: string) => boolean): string | undefined => {
  if (fits(text)) return text;
  const blocks = blocksOf(text);
  const headings = requiredHeadings(blocks);
  const body = bodyOf(blocks, headings);
  const written = (kept: number, lines: number, characters = Number.POSITIVE_INFINITY): string => {
    const parts = new Map(body.slice(0, kept).map((block) => [block, block.lines]));
    const next = body[kept];
    if (next && lines > 0) parts.set(next, cutLines(next, lines, characters));
    return rendered(blocks, (block) => (headings.has(block) ? block.lines : parts.get(block)));
  };
  if (!fits(written(0, 0))) return undefined;
  const kept = most(body.length, (count) => fits(written(count, 0)));
  const next = body[kept]?.lines ?? [];
  const lines = most(next.length, (count) => fits(written(kept, count)));
  // A part of an endless first paragraph is better than no text.
  if (lines > 0 || kept >= REQUIRED_SECTIONS.length) return written(kept, lines);
  return written(
    kept,
    1,
    most(next[0]?.length ?? 0, (count) => fits(written(kept, 1, count))),
  );
};

/** The greatest count up to `max` for which `holds`; 0 holds. */
const most = (max: number, holds: (count: number) => boolean): number => {
  let low = 0;
  let high = max;
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (holds(middle)) low = middle;
    else high = middle - 1;
  }
  return low;
};

const blocksOf = (text: string): readonly Block[] => {
  const blocks: { lines: string[]; apart: boolean; section?: string }[] = [];
  let open = false;
  for (const line of text.split('\n')) {
    const isBlank = line.trim() === '';
    const section = requiredHeading(line);
    if (section !== undefined) blocks.push({ lines: [line], apart: true, section });
    else if (!isBlank && open && !line.startsWith('#')) blocks.at(-1)?.lines.push(line);
    else if (!isBlank) blocks.push({ lines: [line], apart: !isHeading(blocks.at(-1)) });
    open = !isBlank && section === undefined;
  }
  return blocks;
};

const isHeading = (block: Block | undefined): boolean => block?.section !== undefined;

/** Returns the first heading of each required section, in the required order. */
const requiredHeadings = (blocks: readonly Block[]): ReadonlySet<Block> => {
  const headings = new Set<Block>();
  let from = 0;
  for (const section of REQUIRED_SECTIONS) {
    const at = blocks.findIndex((block, place) => place >= from && block.section === section);
    const heading = blocks[at];
    if (heading) headings.add(heading);
    from = at + 1;
  }
  return headings;
};

/** Returns all other blocks in the order of their priority: those directly under kept headings first. */
const bodyOf = (blocks: readonly Block[], headings: ReadonlySet<Block>): readonly Block[] => {
  const first = new Set(
    blocks.filter((block, at) => {
      const before = blocks[at - 1];
      return before !== undefined && headings.has(before) && !headings.has(block);
    }),
  );
  return [...first, ...blocks.filter((block) => !first.has(block) && !headings.has(block))];
};

const cutLines = ({ lines }: Block, count: number, characters: number): readonly string[] =>
  lines
    .slice(0, count)
    .map((line) => line.slice(0, safeEnd(line, characters)))
    .filter((line) => line !== '');

const rendered = (
  blocks: readonly Block[],
  linesOf: (block: Block) => readonly string[] | undefined,
): string =>
  blocks
    .flatMap((block) => {
      const lines = linesOf(block);
      return lines === undefined || lines.length === 0 ? [] : [{ ...block, lines }];
    })
    .map(({ lines, apart }, at) => `${at === 0 ? '' : apart ? '\n\n' : '\n'}${lines.join('\n')}`)
    .join('');
