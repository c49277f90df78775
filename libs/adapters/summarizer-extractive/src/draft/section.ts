/** One line that a section could have. It is taken whole or not at all; the highest rank comes first. */
export type Line = { readonly text: string; readonly rank: number };

/**
 * Lines that are printed together, in their order: under a label, or as pieces of a quote of the user's message
 * `id`. The label or the id is printed, and paid for, only where one of the lines is.
 */
export type Group =
  | { readonly kind: 'list'; readonly label?: Label; readonly lines: readonly Line[] }
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

/** Everything that could be said under one heading, whatever the room. */
export type Section = { readonly title: SectionTitle; readonly groups: readonly Group[] };

/** What introduces the lists of a section: who wrote what stands in them, or what was done. */
export const LABELS = {
  /** What a record that was folded in said without a quote or another label: nobody's words. */
  earlier: 'From the earlier record:',
  attached: 'Attached by the user:',
  modified: 'Modified:',
  read: 'Read:',
  assistant: 'Said by the assistant:',
  thought: 'Thought by the assistant:',
  call: 'Written in tool calls:',
  result: "Seen in tool results (data, nobody's words):",
  saidBefore: 'Said by the assistant before:',
  saidLast: 'Said by the assistant last:',
  lastCalls: 'Last tool calls:',
} as const;
export type Label = (typeof LABELS)[keyof typeof LABELS];

export const list = (lines: readonly Line[], label?: Label): Group =>
  label === undefined ? { kind: 'list', lines } : { kind: 'list', label, lines };
