import type { SectionTitle } from './facts/section.js';

/**
 * The part of a summary reserved for a section, and its minimum in tokens. `ofLarge` is the part in a large summary.
 */
export type Share = { readonly part: number; readonly least: number; readonly ofLarge?: number };

/** The part of a summary that typed demands of the user may take before names from tools compete for the rest. */
export const DEMANDS_PART = 0.75;

/** Together less than half: the rest flows to wherever it is worth most. */
export const SHARES: Readonly<Record<SectionTitle, Share>> = {
  Goal: { part: 0.08, least: 40 },
  Constraints: { part: 0.14, least: 30, ofLarge: 0.28 },
  State: { part: 0.05, least: 30 },
  Errors: { part: 0.03, least: 30 },
  Files: { part: 0.06, least: 60 },
  'Open points': { part: 0.03, least: 40 },
  Commands: { part: 0.04, least: 40 },
  Decisions: { part: 0.015, least: 24 },
  Facts: { part: 0, least: 0 },
  Earlier: { part: 0.04, least: 0 },
};

const [SMALL, LARGE] = [2_000, 4_000];

/** A share of `total` tokens. The least a section gets is never more than half of the whole. */
export const shareOf = ({ part, least, ofLarge = part }: Share, total: number): number => {
  const growth = Math.min(1, Math.max(0, (total - SMALL) / (LARGE - SMALL)));
  return Math.max((part + (ofLarge - part) * growth) * total, Math.min(least, total / 2));
};
