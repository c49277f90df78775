/** One line that a section could have. It is taken whole or not at all; the highest rank comes first. */
export type Line = { readonly text: string; readonly rank: number };

/**
 * Lines that are printed together, in their order: under a label, or as pieces of a quote of the user's message
 * `id`. The label or the id is printed, and paid for, only where one of the lines is.
 */
export type Group =
  | { readonly kind: 'list'; readonly label?: string; readonly lines: readonly Line[] }
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

/** What a record that was folded in said without a quote or a label: nobody's words. */
export const EARLIER_LABEL = 'From the earlier record:';

export const list = (lines: readonly Line[], label?: string): Group =>
  label === undefined ? { kind: 'list', lines } : { kind: 'list', label, lines };
