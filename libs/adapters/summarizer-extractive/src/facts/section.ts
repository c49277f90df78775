import { attributedWords } from '@app/domain';

/** A candidate line of a section, used as a whole; the highest rank is first. */
export type Line = {
  readonly text: string;
  readonly rank: number;
  /** An order without exception or a prohibition that the user typed: kept before names from tools. */
  readonly isDemand?: boolean;
  /** The message that it was seen in. */
  readonly id?: string;
};

/**
 * Lines that are printed together, in order: under a label, or as pieces of a quote of the user's message `id`. Label
 * or id is printed and counted only with at least one line.
 */
export type Group =
  | {
      readonly kind: 'list';
      readonly label?: string;
      /** The label of a line that is alone in its group, with its message named after it. */
      readonly alone?: string;
      readonly lines: readonly Line[];
    }
  | { readonly kind: 'quote'; readonly id: string; readonly lines: readonly Line[] };

/** In the order in which they are printed. */
export const SECTION_TITLES = [
  'Goal',
  'Constraints',
  'Decisions',
  'Files',
  'Commands',
  'Errors',
  'Open points',
  'Facts',
  'Earlier',
  'State',
] as const;
export type SectionTitle = (typeof SECTION_TITLES)[number];

/** All candidates under one heading, regardless of room. */
export type Section = { readonly title: SectionTitle; readonly groups: readonly Group[] };

/** Labels of lists: the author, or the action. */
export const LABELS = {
  /** Content of an earlier summary without a quote or label. */
  earlier: 'From the earlier record:',
  attached: 'Attached by the user:',
  modified: 'Modified:',
  read: 'Read:',
  deleted: 'Deleted:',
  renamed: 'Renamed:',
  assistant: 'Said by the assistant:',
  thought: 'Thought by the assistant:',
  call: 'Written in tool calls:',
  result: 'Seen in tool results (data, not user words):',
  saidBefore: 'Said by the assistant before:',
  saidLast: 'Said by the assistant last:',
  lastCalls: 'Last tool calls:',
} as const;

/** Returns the label of lines from a tool, with its target: `Seen in `src/a.ts` (data):`. */
export const seenIn = (target: string): string => {
  const label = `Seen in \`${target.replaceAll('`', "'")}\` (data):`;
  // A path may contain text that attributes words to the user.
  return attributedWords(label).length > 0 || !SEEN_IN.test(label) ? LABELS.result : label;
};
const SEEN_IN = /^Seen in `[^`]{1,200}` \(data\):$/;

/** Whether a line of a summary introduces the lines after it. */
export const isLabel = (line: string): boolean =>
  SEEN_IN.test(line) || Object.values(LABELS).some((label) => label === line);
export const isSeenIn = (label: string): boolean => label === LABELS.result || SEEN_IN.test(label);

export const list = (lines: readonly Line[], label?: string): Group =>
  label === undefined ? { kind: 'list', lines } : { kind: 'list', label, lines };
