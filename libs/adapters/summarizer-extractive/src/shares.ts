import type { SectionTitle } from './draft/section.js';

/** The part of a summary that a section may take before the others have had theirs, and its least in tokens. */
export type Share = { readonly part: number; readonly least: number };

/** Together less than the whole: the facts get the rest. */
export const SHARES: Readonly<Record<SectionTitle, Share>> = {
  Goal: { part: 0.18, least: 60 },
  Constraints: { part: 0.16, least: 40 },
  State: { part: 0.14, least: 40 },
  Errors: { part: 0.05, least: 0 },
  Files: { part: 0.06, least: 0 },
  'Open points': { part: 0.03, least: 0 },
  Commands: { part: 0.05, least: 0 },
  Decisions: { part: 0.05, least: 0 },
  Earlier: { part: 0.06, least: 0 },
  Facts: { part: 1, least: 0 },
};

/** A share of `total` tokens. The least a section gets is never more than half of the whole. */
export const shareOf = ({ part, least }: Share, total: number): number =>
  Math.max(part * total, Math.min(least, total / 2));
