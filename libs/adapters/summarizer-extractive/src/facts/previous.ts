import { parseQuoteLine, strengthOf } from '@app/domain';
import { cleanLines } from '../text/lines.js';
import { oneLine } from '../text/one-line.js';
import { isLabel, SECTION_TITLES, type SectionTitle } from './section.js';
import type { UserWords } from './user-words.js';

/** A line of an earlier summary under its label, without its list mark. */
export type Item = { readonly label: string | undefined; readonly text: string };

/** An earlier summary, taken apart. */
export type Previous = {
  /** User quotes under `Goal` and under `Constraints`, oldest first. */
  readonly goal: readonly UserWords[];
  readonly constraints: readonly UserWords[];
  /** The rest by its section; without one, `Earlier`. */
  readonly items: ReadonlyMap<SectionTitle, readonly Item[]>;
};

const READ_MAX = 1_000_000;
/** Sentences of an agent's summary about itself. */
const ABOUT_ITSELF =
  /^(?:This session is being continued from a previous|The conversation history before this point was compacted|If you need specific details from before compaction|(?:Please c|C)ontinue the conversation from where we left)/;

/**
 * Parses a summary of this summarizer, and as far as possible of others. Only quotes in the sections of quotes count
 * as user text.
 */
export const parsePrevious = (summary: string | undefined, lineMax: number): Previous => {
  const goal: UserWords[] = [];
  const constraints: UserWords[] = [];
  const items = new Map<SectionTitle, Item[]>();
  let title: SectionTitle = 'Earlier';
  let label: string | undefined;
  for (const raw of withoutNotes((summary ?? '').slice(0, READ_MAX)).split(/\r?\n/)) {
    const heading = headingIn(raw);
    const quote = parseQuoteLine(raw);
    if (heading) {
      title = heading.title;
      label = undefined;
      if (heading.says !== undefined) keep(items, title, { label, text: oneLine(heading.says, lineMax) });
    } else if (quote && title === 'Goal') goal.push(userWords(quote));
    else if (quote && title === 'Constraints') constraints.push(userWords(quote));
    else if (isLabel(raw)) label = raw;
    else if (!ABOUT_ITSELF.test(raw))
      for (const text of cleanLines(raw.replace(/^\s*(?:[-*]|>)\s+/, ''), lineMax))
        keep(items, title, { label, text });
  }
  return { goal, constraints, items };
};

/** An agent's draft notes, which precede its summary and repeat it. */
const NOTES = '\nAnalysis:\n';
const SUMMARY = '\nSummary:\n';
const withoutNotes = (summary: string): string => {
  const start = `\n${summary}`.indexOf(NOTES);
  const end = start < 0 ? -1 : summary.indexOf(SUMMARY, start);
  return end < 0 ? summary : summary.slice(0, start) + summary.slice(end);
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

const HEADING = /^#{1,6}\s+(\S.{0,200})$/;
/** A line that is nothing but a title: numbered, in bold, or with a colon behind it. */
const TITLE_LINE = /^(?:\d{1,2}\.\s+)?(?:\*\*)?([A-Z][\w &/-]{2,60}?)(?::\*\*|\*\*:|\*\*|:)$/;
/** The sections of a summary can be numbered in place of having headings. */
const NUMBERED = /^\d{1,2}\. [A-Z][\w ]{2,40}:$/;
/** A heading with this many words is a statement. */
const TELLING_WORDS = 4;

/** Names of these sections in other summaries. Their file sections contain notes. */
const OTHER_NAMES: Readonly<Partial<Record<SectionTitle, string>>> = {
  Goal: 'goals|primary request and intent|primary request|request|task|objective|user intent',
  Constraints:
    'constraints & preferences|constraints and preferences|instructions|user preferences|requirements|all user messages',
  Decisions: 'key decisions|decisions made|design decisions',
  'Open points':
    'pending tasks|next steps|next step|optional next step|to do|todo|remaining|remaining work|in progress|blocked|still to verify|still to do',
  State: 'current work|current state|current status|progress|accomplished|done|completed',
};
const TITLES = new Map<string, SectionTitle>([
  ...SECTION_TITLES.map((title) => [title.toLowerCase(), title] as const),
  ...SECTION_TITLES.flatMap((title) =>
    (OTHER_NAMES[title]?.split('|') ?? []).map((name) => [name, title] as const),
  ),
]);

/** Returns the section that a heading line starts, or the statement that it makes. */
const headingIn = (line: string): { readonly title: SectionTitle; readonly says?: string } | undefined => {
  const heading = HEADING.exec(line)?.[1];
  const name = heading ?? TITLE_LINE.exec(line.trim())?.[1];
  if (name === undefined) return undefined;
  const title = TITLES.get(name.replace(/[*:]+/g, '').trim().toLowerCase());
  if (title) return { title };
  if (heading === undefined) return NUMBERED.test(line) ? { title: 'Earlier' } : undefined;
  return { title: 'Earlier', ...(heading.split(/\s+/).length >= TELLING_WORDS && { says: heading }) };
};
