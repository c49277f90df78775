import { stringsIn } from '@app/kernel';
import {
  isReasoning,
  isText,
  isToolResult,
  isToolUse,
  type Message,
  resultText,
} from '../../message/index.js';
import type { ReasoningReferences } from '../../session/facts.js';

export type Downgraded = { readonly text: string; readonly references: ReasoningReferences };

const NAMES = '(?:redacted_)?(?:think|thinking|thought|thoughts|reasoning)';
/** Matches at the start of a line only: within a line the tag is quoted. */
const MARK = new RegExp(`^[ \\t]*<(/?)(${NAMES})>`, 'gimu');
/** Consecutive words that count as a quote; fewer may be chance. */
const QUOTE_WORDS = 12;

/**
 * Removes reasoning from a summarizer's output: passages in reasoning tags, and unbalanced tags. Words of a covered
 * reasoning block stay as text, and the block is counted unless other covered text contains the same words.
 */
export const downgradeReasoning = (output: string, covered: readonly Message[]): Downgraded => {
  const { text, marks } = withoutMarks(output);
  return { text, references: { marks, blocks: quotedBlocks(text, covered) } };
};

const withoutMarks = (output: string): { readonly text: string; readonly marks: number } => {
  const kept: string[] = [];
  const endless = new Set<string>();
  let marks = 0;
  let at = 0;
  for (const { 0: mark, 1: slash, 2: name = '', index } of output.matchAll(MARK)) {
    if (index < at) continue; // Inside a passage that has gone.
    marks += 1;
    kept.push(output.slice(at, index));
    at = index + mark.length;
    if (slash !== '' || endless.has(name)) continue;
    const end = output.indexOf(`</${name}>`, at);
    if (end < 0) endless.add(name);
    else at = end + name.length + 3;
  }
  const text = [...kept, output.slice(at)].join('');
  return { text: marks > 0 ? text.trim() : text, marks };
};

const quotedBlocks = (text: string, covered: readonly Message[]): number => {
  const thoughts = covered.flatMap(({ blocks }) =>
    blocks.filter(isReasoning).flatMap((block) => (block.type === 'thinking' ? [block.thinking] : [])),
  );
  if (thoughts.length === 0) return 0;
  const runsIn = runFinder(runsOf(text));
  const found = thoughts.map(runsIn).filter(({ size }) => size > 0);
  if (found.length === 0) return 0;
  const suspectedIn = runFinder(new Set(found.flatMap((shared) => [...shared])));
  const said = new Set(covered.flatMap(saidOpenly).flatMap((open) => [...suspectedIn(open)]));
  return found.filter((shared) => [...shared].some((run) => !said.has(run))).length;
};

/** Everything in a message that is not reasoning. */
const saidOpenly = ({ blocks }: Message): readonly string[] =>
  blocks.flatMap((block) => {
    if (isText(block)) return [block.text];
    if (isToolUse(block)) return stringsIn(block.input);
    return isToolResult(block) ? [resultText(block)] : [];
  });

const WORD = /[\p{L}\p{N}]+/gu;

/** Every run of {@link QUOTE_WORDS} words in `text`, in lower case with single blanks. */
const runsOf = (text: string): ReadonlySet<string> => {
  const words = wordsOf(text);
  const runs = new Set<string>();
  for (let at = 0; at + QUOTE_WORDS <= words.length; at += 1)
    runs.add(words.slice(at, at + QUOTE_WORDS).join(' '));
  return runs;
};

/**
 * Returns a function that finds the members of `runs`, each of {@link QUOTE_WORDS} words, that a text contains. Linear in the text,
 * for any number of runs.
 */
const runFinder = (runs: ReadonlySet<string>): ((text: string) => ReadonlySet<string>) => {
  const beginnings = new Set([...runs].map((run) => run.slice(0, run.indexOf(' '))));
  return (text) => {
    const words = wordsOf(text);
    const found = new Set<string>();
    for (let at = 0; at + QUOTE_WORDS <= words.length; at += 1) {
      if (!beginnings.has(words[at] ?? '')) continue;
      const run = words.slice(at, at + QUOTE_WORDS).join(' ');
      if (runs.has(run)) found.add(run);
    }
    return found;
  };
};

const wordsOf = (text: string): readonly string[] =>
  Array.from(text.matchAll(WORD), ([word]) => word.toLowerCase());
