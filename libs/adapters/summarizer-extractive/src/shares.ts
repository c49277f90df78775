import type { SectionTitle } from './draft/section.js';

/** The part of a summary that a section may take before the others have had theirs, and its least in tokens. */
export type Share = { readonly part: number; readonly least: number };

/** Together less than half: the rest flows to wherever it is worth most. */
export const SHARES: Readonly<Record<SectionTitle, Share>> = {
  Goal: { part: 0.08, least: 40 },
  Constraints: { part: 0.14, least: 30 },
  State: { part: 0.05, least: 30 },
  Errors: { part: 0.03, least: 30 },
  Files: { part: 0.03, least: 24 },
  'Open points': { part: 0.03, least: 40 },
  Commands: { part: 0.015, least: 24 },
  Decisions: { part: 0.015, least: 24 },
  Facts: { part: 0, least: 0 },
  Earlier: { part: 0.04, least: 0 },
};

/** A share of `total` tokens. The least a section gets is never more than half of the whole. */
export const shareOf = ({ part, least }: Share, total: number): number =>
  Math.max(part * total, Math.min(least, total / 2));
