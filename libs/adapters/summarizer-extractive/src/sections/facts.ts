import { keysOf, WORDS_MIN } from '@app/domain';
import { type Group, isSeenIn, LABELS, type Line, list, type Section } from '../draft/section.js';
import type { Candidate, Source } from '../facts/candidates.js';
import { excerptsFrom } from '../facts/excerpts.js';
import { itemsOf } from '../facts/previous.js';
import type { Material } from '../material.js';
import type { Worth } from '../needs/filling.js';
import { wantedOf } from '../needs/wanted.js';

/** A section of everything that could be kept for the names in it, and what each of its lines is kept for. */
export type Facts = { readonly section: Section; readonly keys: ReadonlyMap<Line, Candidate> };

/** Lines with names, paths and numbers in them, by who wrote them or what they were seen in, in the order of the session. */
export const factsSection = ({ vocabulary, previous, request }: Material, worth: Worth): Facts => {
  const earlier = [...itemsOf(previous, 'Facts'), ...itemsOf(previous, 'State')].map(
    ({ label, text }, at): Candidate => {
      const { keys, words } = keysOf(text);
      return {
        text,
        source: sourceOf(label),
        ...(label !== undefined && isSeenIn(label) && { label }),
        keys: [...keys.keys()],
        isWorded: words >= WORDS_MIN,
        order: at - Number.MAX_SAFE_INTEGER,
      };
    },
  );
  const seen = new Set(earlier.map(({ text }) => text));
  const whole = [...vocabulary.candidates.filter(({ text }) => !seen.has(text)), ...earlier];
  const wanted = wantedOf(vocabulary.uses.keys(), worth, request.sizeMax);
  const candidates = [...whole, ...excerptsFrom(whole, wanted)];
  const keys = new Map<Line, Candidate>();
  const bySource: Record<Source, (readonly [candidate: Candidate, line: Line])[]> = {
    earlier: [],
    assistant: [],
    thought: [],
    call: [],
    result: [],
  };
  for (const candidate of candidates) {
    const { text, id } = candidate;
    const line: Line = { text, rank: 0, ...(id !== undefined && { id }) };
    keys.set(line, candidate);
    bySource[candidate.source].push([candidate, line]);
  }
  const from = (source: Source, label: string): readonly Group[] => {
    const byLabel = new Map<string, Line[]>();
    for (const [candidate, line] of bySource[source].sort(([a], [b]) => a.order - b.order)) {
      const lines = byLabel.get(candidate.label ?? label) ?? [];
      byLabel.set(candidate.label ?? label, lines);
      lines.push(line);
    }
    return [...byLabel].map(([introduced, lines]) =>
      source === 'result'
        ? { kind: 'list', label: introduced, alone: LABELS.result, lines }
        : list(lines, introduced),
    );
  };
  const groups = [
    ...from('earlier', LABELS.earlier),
    ...from('assistant', LABELS.assistant),
    ...from('thought', LABELS.thought),
    ...from('call', LABELS.call),
    ...from('result', LABELS.result),
  ];
  return { section: { title: 'Facts', groups }, keys };
};

/** Lines of an earlier summary stay with whoever wrote them. */
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
