import { SECTION_TITLES, type SectionTitle } from './section.js';

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
export const headingIn = (
  line: string,
): { readonly title: SectionTitle; readonly says?: string } | undefined => {
  const heading = HEADING.exec(line)?.[1];
  const name = heading ?? TITLE_LINE.exec(line.trim())?.[1];
  if (name === undefined) return undefined;
  const title = TITLES.get(name.replace(/[*:]+/g, '').trim().toLowerCase());
  if (title) return { title };
  if (heading === undefined) return NUMBERED.test(line) ? { title: 'Earlier' } : undefined;
  return { title: 'Earlier', ...(heading.split(/\s+/).length >= TELLING_WORDS && { says: heading }) };
};
