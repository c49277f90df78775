import { keysOf, WORDS_MIN } from '@app/domain';
import { LABELS, type Label, type Line, list, type Section } from '../draft/section.js';
import type { Candidate, Source } from '../facts/candidates.js';
import { itemsOf } from '../facts/previous.js';
import type { Material } from '../material.js';

/** A section of everything that could be kept for the names in it, and what each of its lines is kept for. */
export type Facts = { readonly section: Section; readonly keys: ReadonlyMap<Line, Candidate> };

/** Lines with names, paths and numbers in them, by who wrote them and in the order of the session. */
export const factsSection = ({ vocabulary, previous }: Material): Facts => {
  const earlier = [...itemsOf(previous, 'Facts'), ...itemsOf(previous, 'State')].map(
    ({ label, text }, at): Candidate => {
      const { keys, words } = keysOf(text);
      return {
        text,
        source: sourceOf(label),
        keys: [...keys.keys()],
        isWorded: words >= WORDS_MIN,
        order: at - Number.MAX_SAFE_INTEGER,
      };
    },
  );
  const seen = new Set(earlier.map(({ text }) => text));
  const candidates = [...vocabulary.candidates.filter(({ text }) => !seen.has(text)), ...earlier];
  const keys = new Map<Line, Candidate>();
  const bySource: Record<Source, (readonly [order: number, line: Line])[]> = {
    earlier: [],
    assistant: [],
    thought: [],
    call: [],
    result: [],
  };
  for (const candidate of candidates) {
    const line: Line = { text: candidate.text, rank: 0 };
    keys.set(line, candidate);
    bySource[candidate.source].push([candidate.order, line]);
  }
  const from = (source: Source): readonly Line[] =>
    bySource[source].sort(([a], [b]) => a - b).map(([, line]) => line);
  const groups = [
    list(from('earlier'), LABELS.earlier),
    list(from('assistant'), LABELS.assistant),
    list(from('thought'), LABELS.thought),
    list(from('call'), LABELS.call),
    list(from('result'), LABELS.result),
  ];
  return { section: { title: 'Facts', groups }, keys };
};

/** Lines of an earlier summary stay with whoever wrote them. */
const sourceOf = (label: Label | undefined): Source => {
  switch (label) {
    case LABELS.assistant:
    case LABELS.saidBefore:
    case LABELS.saidLast:
      return 'assistant';
    case LABELS.thought:
      return 'thought';
    case LABELS.call:
      return 'call';
    case LABELS.result:
      return 'result';
    default:
      return 'earlier';
  }
};
