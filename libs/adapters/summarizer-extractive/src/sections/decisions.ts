import { keysOf } from '@app/domain';
import { itemsOf } from '../facts/previous.js';
import { type Line, list, type Section } from '../facts/section.js';
import type { Material } from '../material.js';
import { bounded, cleanLines, sentencesOf } from '../text/lines.js';

const READ_MAX = 64 * 1024;
/** Words with which an agent states findings or decisions. */
const SETTLES =
  /\b(?:decided|decision|because|instead of|rather than|root cause|turns out|the (?:issue|problem|bug|fix|reason|cause) (?:is|was)|found that|confirmed|verified|chose|chosen|trade-?off|important|fixed|works now|will not|won['’]t)\b/i;

/** The number of a list's entry. */
const ENTRY = /^\d{1,3}\.\s+/;
/** Fewer words are a heading, not a decision. */
const HEADING_WORDS = 3;

/** Sentences of the assistant that settle something. Its reasoning is not quoted, and tools decide nothing. */
export const decisionsSection = ({ covered, previous, focus, lineMax }: Material): Section => {
  const found = new Map<string, number>();
  for (const { at, text } of covered.assistant)
    for (const part of bounded(text, READ_MAX))
      for (const line of cleanLines(part, lineMax))
        for (const sentence of sentencesOf(line.replace(ENTRY, ''))) {
          if (!SETTLES.test(sentence) || isHeading(sentence)) continue;
          found.delete(sentence);
          found.set(sentence, Math.min(6, keysOf(sentence).keys.size) + 6 * recencyOf(covered.age(at)));
        }
  const before = itemsOf(previous, 'Decisions')
    .filter(({ text }) => !found.has(text))
    .map(({ text }): Line => ({ text, rank: 2 * focus(text) }));
  const lines = [...found].map(([text, worth]): Line => ({ text, rank: (2 + worth) * focus(text) }));
  return { title: 'Decisions', groups: [list([...before, ...lines])] };
};

const isHeading = (sentence: string): boolean => {
  const bare = sentence.replace(/[*_`#]+/g, '').trim();
  return bare.endsWith(':') || bare.split(/\s+/).length <= HEADING_WORDS;
};

const recencyOf = (ageTokens: number): number => Math.exp(-ageTokens / 20_000);
