import { keysOf, WORDS_MIN } from '@app/domain';
import type { Candidate, Source } from '../facts/candidates.js';
import { excerptsFrom } from '../facts/excerpts.js';
import { type Item, itemsOf } from '../facts/previous.js';
import { type Group, isSeenIn, LABELS, type Line, list, type Section } from '../facts/section.js';
import type { Material } from '../material.js';
import { type Worth, wantedOf } from '../needs/expected-need.js';

/** A section of candidate lines by names, and the keys of each line. */
export type Facts = { readonly section: Section; readonly keys: ReadonlyMap<Line, Candidate> };

/**
 * Returns lines with names, paths and numbers, and excerpts with the most valuable ones, grouped by author or source,
 * in session order.
 */
export const factsSection = ({ vocabulary, previous, request }: Material, worth: Worth): Facts => {
  const earlier = [...itemsOf(previous, 'Facts'), ...itemsOf(previous, 'State')].map(earlierCandidate);
  const seen = new Set(earlier.map(({ text }) => text));
  const wanted = wantedOf(vocabulary.uses.keys(), worth, request.sizeMax);
  const found = vocabulary.candidates.filter(({ text }) => !seen.has(text));
  const lines = [...found, ...earlier];
  const keys = new Map<Line, Candidate>();
  const bySource: Record<Source, Placed[]> = {
    earlier: [],
    assistant: [],
    thought: [],
    call: [],
    result: [],
  };
  for (const candidate of [...lines, ...excerptsFrom(lines, wanted)]) {
    const { text, id } = candidate;
    const line: Line = { text, rank: 0, ...(id !== undefined && { id }) };
    keys.set(line, candidate);
    bySource[candidate.source].push({ candidate, line });
  }
  const groups = [
    ...groupsOf(bySource.earlier, LABELS.earlier),
    ...groupsOf(bySource.assistant, LABELS.assistant),
    ...groupsOf(bySource.thought, LABELS.thought),
    ...groupsOf(bySource.call, LABELS.call),
    ...groupsOf(bySource.result, LABELS.result).map((group) => ({ ...group, alone: LABELS.result })),
  ];
  return { section: { title: 'Facts', groups }, keys };
};

type Placed = { readonly candidate: Candidate; readonly line: Line };

/** Groups lines by label in session order; those without one under `label`. */
const groupsOf = (placed: readonly Placed[], label: string): readonly Group[] => {
  const byLabel = new Map<string, Line[]>();
  for (const { candidate, line } of [...placed].sort((a, b) => a.candidate.order - b.candidate.order)) {
    const lines = byLabel.get(candidate.label ?? label) ?? [];
    byLabel.set(candidate.label ?? label, lines);
    lines.push(line);
  }
  return [...byLabel].map(([introduced, lines]) => list(lines, introduced));
};

/** The message id after a line of a tool, which is not a name in it. */
const MESSAGE_ID = / \[[!-~]{1,200}\]$/;

const earlierCandidate = ({ label, text }: Item, at: number): Candidate => {
  const isSeen = label !== undefined && isSeenIn(label);
  const { keys, words } = keysOf(isSeen ? text.replace(MESSAGE_ID, '') : text);
  return {
    text,
    source: sourceOf(label),
    ...(isSeen && { label }),
    keys: [...keys.keys()],
    isWorded: words >= WORDS_MIN,
    order: at - Number.MAX_SAFE_INTEGER,
  };
};

/** Lines of an earlier summary keep their author. */
const sourceOf = (label: string | undefined): Source => {
  if (label !== undefined && isSeenIn(label)) return 'result';
  switch (label) {
    case LABELS.assistant:
    case LABELS.saidBefore:
    case LABELS.saidLast:
      return 'assistant';
    case LABELS.thought:
      return 'thought';
    case LABELS.call:
      return 'call';
    default:
      return 'earlier';
  }
};
