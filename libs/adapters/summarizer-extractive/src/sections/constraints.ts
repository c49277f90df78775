import { quoted, type Strength } from '@app/domain';
import { earlierGroups } from '../draft/earlier-groups.js';
import { itemsOf } from '../facts/previous.js';
import type { Group, Line, Section } from '../facts/section.js';
import type { UserSegment } from '../facts/user-words.js';
import type { Material } from '../material.js';

type Constraint = { readonly id: string; readonly segment: UserSegment };

/** A demand outweighs a wish, whenever it was made; among equals the newer one counts more. */
const PER_STRENGTH = 1_000;
const DEMAND: Strength = 2;
/** Sentences of a typed text. A longer one is more likely pasted, with demands on others than the agent. */
const TYPED_MAX = 32;
/** In a text with this many sentences each counts half, so that pasted pages do not outweigh typed text. */
const HALF_AT = 8;

/**
 * Returns the user's orders, prohibitions and wishes, verbatim with message ids: only from user messages, and from
 * quotes of an earlier summary.
 */
export const constraintsSection = ({ previous, said, focus }: Material): Section => {
  const known = previous.constraints.flatMap(({ id, segments }) =>
    segments.map((segment) => ({
      id,
      segment: { ...segment, strength: segment.strength || 1 },
    })),
  );
  const found = [...previous.goal, ...said].flatMap(({ id, segments }) =>
    segments.filter(({ strength }) => strength > 0).map((segment) => ({ id, segment })),
  );
  const all = withoutRepeats([...known, ...found]);

  const byMessage = new Map<string, Line[]>();
  for (const [at, { id, segment }] of all.entries()) {
    const lines = byMessage.get(id) ?? [];
    byMessage.set(id, lines);
    const recency = (PER_STRENGTH * at) / all.length;
    lines.push({
      text: quoted(segment),
      isDemand: segment.strength === DEMAND && segment.of <= TYPED_MAX,
      rank: ((PER_STRENGTH * segment.strength + recency) / (1 + segment.of / HALF_AT)) * focus(segment.text),
    });
  }
  const quotes = [...byMessage].map(([id, lines]): Group => ({ kind: 'quote', id, lines }));
  return {
    title: 'Constraints',
    groups: [...quotes, ...earlierGroups(itemsOf(previous, 'Constraints'), PER_STRENGTH)],
  };
};

/** Returns each sentence once, at its last position. */
const withoutRepeats = (constraints: readonly Constraint[]): readonly Constraint[] => {
  const byText = new Map<string, Constraint>();
  for (const constraint of constraints) {
    const key = constraint.segment.text.toLowerCase();
    byText.delete(key);
    byText.set(key, constraint);
  }
  return [...byText.values()];
};
