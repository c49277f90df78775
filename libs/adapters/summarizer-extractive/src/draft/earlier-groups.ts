import type { Item } from '../facts/previous.js';
import { type Group, LABELS, type Line, list } from '../facts/section.js';

/** Lines of an earlier summary under their labels, ranked in their order below `rank`. */
export const earlierGroups = (items: readonly Item[], rank: number): readonly Group[] => {
  const byLabel = new Map<string, Line[]>();
  for (const [at, { label = LABELS.earlier, text }] of items.entries()) {
    const lines = byLabel.get(label) ?? [];
    byLabel.set(label, lines);
    lines.push({ text, rank: rank - at });
  }
  return [...byLabel].map(([label, lines]) => list(lines, label));
};
