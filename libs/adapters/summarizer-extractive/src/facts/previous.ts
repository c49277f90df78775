import { parseQuoteLine, strengthOf } from '@app/domain';
import { isLabel, SECTION_TITLES, type SectionTitle } from '../draft/section.js';
import { cleanLines } from '../text/lines.js';
import { oneLine } from '../text/one-line.js';
import type { UserWords } from './user-words.js';

/** A line of an earlier summary under its label, without its list mark. */
export type Item = { readonly label: string | undefined; readonly text: string };

/** An earlier summary, taken apart. */
export type Previous = {
  /** What the user is quoted with, under `Goal` and under `Constraints`, oldest first. */
  readonly goal: readonly UserWords[];
  readonly constraints: readonly UserWords[];
  /** All else, by the section in which it stood; without one, `Earlier`. */
  readonly items: ReadonlyMap<SectionTitle, readonly Item[]>;
};

const READ_MAX = 1_000_000;
const HEADING = /^#{1,6}\s+(\S.{0,200})$/;

/**
 * Takes apart what this summarizer wrote, and as far as it goes what anybody else did. Only what is written as a
 * quote, in the sections of quotes, is taken for the user's words.
 */
export const parsePrevious = (summary: string | undefined, lineMax: number): Previous => {
  const goal: UserWords[] = [];
  const constraints: UserWords[] = [];
  const items = new Map<SectionTitle, Item[]>();
  let title: SectionTitle = 'Earlier';
  let label: string | undefined;
  for (const raw of (summary ?? '').slice(0, READ_MAX).split(/\r?\n/)) {
    const heading = HEADING.exec(raw)?.[1];
    const quote = parseQuoteLine(raw);
    if (heading !== undefined) {
      const known = SECTION_TITLES.find((one) => one.toLowerCase() === heading.trim().toLowerCase());
      title = known ?? 'Earlier';
      label = undefined;
      if (!known) keep(items, title, { label, text: oneLine(heading, lineMax) });
    } else if (quote && title === 'Goal') goal.push(userWords(quote));
    else if (quote && title === 'Constraints') constraints.push(userWords(quote));
    else if (isLabel(raw)) label = raw;
    else
      for (const text of cleanLines(raw.replace(/^\s*(?:[-*]|>)\s+/, ''), lineMax))
        keep(items, title, { label, text });
  }
  return { goal, constraints, items };
};

const keep = (items: Map<SectionTitle, Item[]>, title: SectionTitle, item: Item): void => {
  const known = items.get(title);
  if (known) known.push(item);
  else items.set(title, [item]);
};

const userWords = ({ id, segments }: NonNullable<ReturnType<typeof parseQuoteLine>>): UserWords => ({
  id,
  segments: segments.map((segment, place) => ({
    ...segment,
    strength: strengthOf(segment.text),
    place,
    of: segments.length,
  })),
});

export const itemsOf = (previous: Previous, title: SectionTitle): readonly Item[] =>
  previous.items.get(title) ?? [];
