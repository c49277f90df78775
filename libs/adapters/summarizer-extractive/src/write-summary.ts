import { keysOf } from '@app/domain';
import type { SummaryRequest, TokenCounter } from '@app/ports';
import { Draft } from './draft/draft.js';
import { type Filling, fill } from './draft/fill.js';
import { vocabularyOf } from './facts/candidates.js';
import { itemsOf } from './facts/previous.js';
import { type Line, list, type Section } from './facts/section.js';
import { type Material, materialOf } from './material.js';
import { type Worth, worthIn } from './needs/expected-need.js';
import { commandsSection } from './sections/commands.js';
import { constraintsSection } from './sections/constraints.js';
import { errorsSection } from './sections/errors.js';
import { type Facts, factsSection } from './sections/facts.js';
import { filesSection } from './sections/files.js';
import { goalSection } from './sections/goal.js';
import { openPointsSection } from './sections/open-points.js';
import { stateSection } from './sections/state.js';
import { DEMANDS_PART, SHARES, shareOf } from './shares.js';
import { bounded, cleanLines, sentencesOf } from './text/lines.js';

/**
 * Writes the summary of `request`, and yields between steps. Required sections come first with their shares,
 * then all demands of the user; remaining room is given to the most valuable lines; any rest is distributed once more.
 */
export function* writeSummary(request: SummaryRequest, counter: TokenCounter): Generator<void, string> {
  const draft = new Draft(counter, request.sizeMax);
  const offered: Section[] = [];
  const offer = (section: Section): void => {
    offered.push(section);
    draft.take(section, shareOf(SHARES[section.title], request.sizeMax));
  };
  const material = materialOf(request);
  yield;
  offer(goalSection(material));
  const constraints = constraintsSection(material);
  offer(constraints);
  offer(stateSection(material));
  yield;
  offer(errorsSection(material));
  offer(filesSection(material));
  offer(openPointsSection(material));
  offer(commandsSection(material));
  offer(decisionsSection(material));
  offer(earlierSection(material));
  draft.take(constraints, DEMANDS_PART * request.sizeMax, ({ isDemand = false }) => isDemand);
  yield;
  const worth = worthIn(material);
  yield;
  const facts = factsSection(material, worth);
  yield;
  fill(draft, [...offered, facts.section], fillingOf(material, worth, facts));
  yield;
  for (const section of offered) draft.take(section, Number.POSITIVE_INFINITY);
  return draft.finish();
}

/** Returns the content of an earlier summary outside of known sections. */
const earlierSection = ({ previous, focus }: Material): Section => {
  const lines = itemsOf(previous, 'Earlier').map(
    ({ text }, at): Line => ({ text, rank: focus(text) / (at + 1) }),
  );
  return { title: 'Earlier', groups: [list(lines)] };
};

/** Returns the criteria for choosing lines among all sections. */
const fillingOf = (
  { retained, focus, lineMax, vocabulary }: Material,
  worth: Worth,
  { keys }: Facts,
): Filling => ({
  worth,
  isKnown: (key) => vocabulary.uses.get(key) !== undefined,
  focus,
  inView: new Set(vocabularyOf(retained, lineMax).uses.keys()),
  keysOfLine: keys,
});

const READ_MAX = 64 * 1024;
/** Words with which an agent states findings or decisions. */
const SETTLES =
  /\b(?:decided|decision|because|instead of|rather than|root cause|turns out|the (?:issue|problem|bug|fix|reason|cause) (?:is|was)|found that|confirmed|verified|chose|chosen|trade-?off|important|fixed|works now|will not|won['’]t)\b/i;

/** The number of a list's entry. */
const ENTRY = /^\d{1,3}\.\s+/;
/** Fewer words are a heading, not a decision. */
const HEADING_WORDS = 3;

/** Sentences of the assistant that settle something. Its reasoning is not quoted, and tools decide nothing. */
const decisionsSection = ({ covered, previous, focus, lineMax }: Material): Section => {
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
