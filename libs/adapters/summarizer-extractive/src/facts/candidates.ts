import { keysOf, WORDS_MIN } from '@app/domain';
import { ownMember, stringsIn } from '@app/kernel';
import { bounded, cleanLines } from '../text/lines.js';
import type { Call } from './calls.js';
import type { Conversation } from './conversation.js';
import { KeyUses } from './key-uses.js';
import { seenIn } from './section.js';

/** The author of a line. Tool results are never user text. */
export type Source = 'assistant' | 'thought' | 'call' | 'result' | 'earlier';
/** A line that could be kept for the keys in it, or an excerpt of one. */
export type Candidate = {
  readonly text: string;
  /** The line that it is an excerpt of. */
  readonly of?: string;
  readonly source: Source;
  /** The label, if it says more than the author. */
  readonly label?: string;
  /** The message id, if it is printed. */
  readonly id?: string;
  readonly keys: readonly string[];
  /** Whether it includes words beside the keys. */
  readonly isWorded: boolean;
  /** The place of the line among all, oldest first. */
  readonly order: number;
};
/** The lines of a conversation that hold keys, newest texts first, and how its keys are used. */
export type Vocabulary = { readonly candidates: readonly Candidate[]; readonly uses: KeyUses };

/** Maximum UTF-16 units per text and in total, newest first. */
const TEXT_MAX = 256 * 1024;
const TEXTS_MAX = 32 * 1024 * 1024;
/** Longer strings in a tool call are file contents and patches rather than text of the model. */
const SAID_IN_CALL_MAX = 400;

type Written = {
  readonly at: number;
  readonly source: Source | 'user' | 'body' | 'report';
  readonly text: string;
  readonly about?: string;
  readonly id?: string;
};

/** Reads a conversation once, line by line. */
export const vocabularyOf = (conversation: Conversation, lineMax: number): Vocabulary => {
  const uses = new KeyUses();
  const byText = new Map<string, Candidate>();
  let left = TEXTS_MAX;
  let order = 0;
  for (const { at, source, text, about, id } of newestFirst(conversation)) {
    if (left <= 0) break;
    const parts = bounded(text, Math.min(TEXT_MAX, left));
    left -= Math.min(text.length, TEXT_MAX);
    // Counted down, since texts are read backwards and lines forwards.
    order -= 1_000_000;
    let place = 0;
    for (const part of parts)
      for (const line of cleanLines(part, lineMax)) {
        const { keys, words } = keysOf(line);
        if (keys.size === 0) continue;
        for (const [key, weight] of keys) uses.note(key, weight, at, IS_SAID[source]);
        if (source === 'user' || byText.has(line)) continue;
        place += 1;
        byText.set(line, {
          text: line,
          source: source === 'body' ? 'call' : source === 'report' ? 'result' : source,
          ...(about !== undefined && { label: seenIn(about) }),
          ...(id !== undefined && { id }),
          keys: [...keys.keys()],
          isWorded: words >= WORDS_MIN,
          order: order + place,
        });
      }
  }
  const candidates = [...byText.values()];
  for (const { keys } of candidates) uses.noteTogether(keys);
  return { candidates, uses };
};

const IS_SAID = {
  user: true,
  assistant: true,
  call: true,
  thought: true,
  body: false,
  result: false,
  report: true,
  earlier: true,
} as const;

const newestFirst = ({ user, given, assistant, reasoning, calls }: Conversation): readonly Written[] =>
  [
    ...user.map(({ at, text }) => ({ at, source: 'user' as const, text })),
    // Given content counts as a tool result.
    ...given.map(({ at, text, id }) => ({ at, source: 'result' as const, text, id })),
    ...assistant.map(({ at, text }) => ({ at, source: 'assistant' as const, text })),
    ...reasoning.map(({ at, text }) => ({ at, source: 'thought' as const, text })),
    ...calls.flatMap(writtenIn),
  ].sort((a, b) => b.at - a.at);

/** Tools that ask another agent: their results are written by a model, too. */
const ASKS_AGENT = /^(?:task|delegate|(?:\w+[_-])?(?:sub)?agent|\w+[a-z]Agent)$/i;
/** Arguments with text of the model, at any length. */
const PROSE = ['prompt', 'plan', 'message', 'question', 'explanation', 'thought'];

/** Returns the strings of a call's input, with text separated from file contents, and its result. */
const writtenIn = ({ at, name, input, output, about, resultId }: Call): readonly Written[] => {
  const prose = new Set(PROSE.flatMap((field) => stringsIn(ownMember(input, field))));
  const isSaid = (text: string): boolean => text.length <= SAID_IN_CALL_MAX || prose.has(text);
  const strings = stringsIn(input);
  const source = ASKS_AGENT.test(name) ? 'report' : 'result';
  const written: readonly Written[] = [
    { at, source: 'call', text: strings.filter(isSaid).join('\n') },
    { at, source: 'body', text: strings.filter((text) => !isSaid(text)).join('\n') },
    { at, source, text: output, about, ...(resultId !== undefined && { id: resultId }) },
  ];
  return written.filter(({ text }) => text !== '');
};
