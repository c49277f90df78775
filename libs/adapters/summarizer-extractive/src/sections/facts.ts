import { keysOf, WORDS_MIN } from '@app/domain';
import { type Group, LABELS, type Label, type Line, list, type Section } from '../draft/section.js';
import {
  type Candidate,
  type KeyUse,
  type Source,
  type Vocabulary,
  vocabularyOf,
} from '../facts/candidates.js';
import { cover } from '../facts/cover.js';
import { itemsOf } from '../facts/previous.js';
import type { Material } from '../material.js';
import { bounded, cleanLines } from '../text/lines.js';

const CHARACTERS_PER_TOKEN = 4;
const LINE_OVERHEAD_TOKENS = 3;
/** The cover works with estimated costs: it hands over more than should fit, and the draft stops where it is full. */
const SPARE = 1.5;
/** A key last seen long ago keeps this part of its worth, and falls to it with this age in tokens. */
const RECENCY_FLOOR = 0.3;
const RECENCY_TOKENS = 20_000;

/**
 * Lines that hold, for the room they take, the most names, paths and numbers that nothing else shows: neither
 * `shown` nor the retained messages.
 */
export const factsSection = (material: Material, room: number, shown: Iterable<string>): Section => {
  const { covered, retained, previous, focus, lineMax } = material;
  const vocabulary = vocabularyOf(covered, lineMax);
  const texts = new Set(shown);
  const earlier = [...itemsOf(previous, 'Facts'), ...itemsOf(previous, 'State')].map(
    ({ label, text }, at): Candidate => ({
      text,
      source: sourceOf(label),
      keys: [...keysOf(text).keys.keys()],
      at: -1,
      order: at - Number.MAX_SAFE_INTEGER,
    }),
  );
  const weights = withEarlier(vocabulary, earlier);
  const inView = keysInView(texts, vocabularyOf(retained, lineMax));
  const value = (key: string): number => {
    const use = weights.get(key);
    if (!use || inView.has(key)) return 0;
    const recency = RECENCY_FLOOR + (1 - RECENCY_FLOOR) * Math.exp(-covered.age(use.last) / RECENCY_TOKENS);
    return use.weight * Math.log2(1 + use.messages) * recency;
  };
  const candidates = [...vocabulary.candidates, ...earlier]
    .filter(({ text }) => !texts.has(text))
    .map((candidate) => ({
      ...candidate,
      cost: LINE_OVERHEAD_TOKENS + candidate.text.length / CHARACTERS_PER_TOKEN,
      boost: focus(candidate.text),
    }));
  return { title: 'Facts', groups: groupsOf(cover(candidates, value, SPARE * room)) };
};

/** The chosen, best first, grouped by who wrote them and printed in the order of the session. */
const groupsOf = (chosen: readonly Candidate[]): readonly Group[] => {
  const ranked = chosen.map((candidate, at) => {
    const line: Line = { text: candidate.text, rank: -at };
    return { candidate, line };
  });
  ranked.sort((a, b) => a.candidate.order - b.candidate.order);
  const from = (source: Source) =>
    ranked.filter(({ candidate }) => candidate.source === source).map(({ line }) => line);
  return [
    list(from('earlier'), LABELS.earlier),
    list(from('assistant'), LABELS.assistant),
    list(from('call'), LABELS.call),
    list(from('result'), LABELS.result),
  ];
};

/** Lines of an earlier summary stay with whoever wrote them. */
const sourceOf = (label: Label | undefined): Source => {
  switch (label) {
    case LABELS.assistant:
    case LABELS.saidBefore:
    case LABELS.saidLast:
      return 'assistant';
    case LABELS.call:
      return 'call';
    case LABELS.result:
      return 'result';
    default:
      return 'earlier';
  }
};

const withEarlier = ({ uses }: Vocabulary, earlier: readonly Candidate[]): ReadonlyMap<string, KeyUse> => {
  const all = new Map(uses);
  for (const { text } of earlier)
    for (const [key, weight] of keysOf(text).keys)
      if (!all.has(key)) all.set(key, { weight, messages: 1, last: -1 });
  return all;
};

/** Keys that the reader sees anyway, with words beside them. */
const keysInView = (texts: Iterable<string>, retained: Vocabulary): ReadonlySet<string> => {
  const keys = new Set(retained.uses.keys());
  for (const text of texts)
    for (const part of bounded(text, 4_000))
      for (const line of cleanLines(part, 300)) {
        const found = keysOf(line);
        if (found.words >= WORDS_MIN) for (const key of found.keys.keys()) keys.add(key);
      }
  return keys;
};
