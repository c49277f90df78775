import { keysOf, WORDS_MIN } from '@app/domain';
import type { Json } from '@app/kernel';
import { bounded, cleanLines } from '../text/lines.js';
import type { Call } from './calls.js';
import type { Conversation } from './conversation.js';

/** Who wrote a line. What a tool returned is never anybody's word. */
export type Source = 'assistant' | 'call' | 'result' | 'earlier';
/** A line that could be kept for the keys in it. */
export type Candidate = {
  readonly text: string;
  readonly source: Source;
  readonly keys: readonly string[];
  /** The place of the message that it was last seen in, and of the line among all. */
  readonly at: number;
  readonly order: number;
};
/** What is known about a key: the weight of its type, the messages that use it, and the last of them. */
export type KeyUse = { readonly weight: number; messages: number; last: number };
export type Vocabulary = {
  readonly candidates: readonly Candidate[];
  readonly uses: ReadonlyMap<string, KeyUse>;
};

/** Of one text and of all, newest first: what is beyond is not looked at. */
const TEXT_MAX = 256 * 1024;
const TEXTS_MAX = 8 * 1024 * 1024;

type Written = { readonly at: number; readonly source: Source | 'reasoning' | 'user'; readonly text: string };

/** The lines with words of a conversation, and what their keys are worth. */
export const vocabularyOf = (conversation: Conversation, lineMax: number): Vocabulary => {
  const uses = new Map<string, KeyUse>();
  const byText = new Map<string, Candidate>();
  let left = TEXTS_MAX;
  let order = 0;
  for (const { at, source, text } of newestFirst(conversation)) {
    if (left <= 0) break;
    const parts = bounded(text, Math.min(TEXT_MAX, left));
    left -= Math.min(text.length, TEXT_MAX);
    // Counted down, since texts are read backwards and lines forwards.
    order -= 1_000_000;
    let place = 0;
    for (const part of parts)
      for (const line of cleanLines(part, lineMax)) {
        const { keys, words } = keysOf(line);
        for (const [key, weight] of keys) noteUse(uses, key, weight, at);
        if (source === 'reasoning' || source === 'user' || keys.size === 0 || words < WORDS_MIN) continue;
        place += 1;
        if (!byText.has(line))
          byText.set(line, { text: line, source, keys: [...keys.keys()], at, order: order + place });
      }
  }
  return { candidates: [...byText.values()], uses };
};

const noteUse = (
  uses: Map<string, KeyUse & { seen?: number }>,
  key: string,
  weight: number,
  at: number,
): void => {
  const use = uses.get(key);
  if (!use) uses.set(key, { weight, messages: 1, last: at, seen: at });
  else if (use.seen !== at) {
    use.messages += 1;
    use.seen = at;
  }
};

const newestFirst = ({ user, assistant, reasoning, calls }: Conversation): readonly Written[] =>
  [
    ...user.map(({ at, text }) => ({ at, source: 'user' as const, text })),
    ...assistant.map(({ at, text }) => ({ at, source: 'assistant' as const, text })),
    ...reasoning.map(({ at, text }) => ({ at, source: 'reasoning' as const, text })),
    ...calls.map((call) => ({ at: call.at, source: 'call' as const, text: inputTextOf(call) })),
    ...calls.map(({ at, output }) => ({ at, source: 'result' as const, text: output })),
  ].sort((a, b) => b.at - a.at);

/** The strings of a call's input, a line break between them. */
const inputTextOf = ({ input }: Call): string => stringsIn(input).join('\n');
const stringsIn = (value: Json | undefined): readonly string[] => {
  if (typeof value === 'string') return [value];
  if (Array.isArray(value)) return value.flatMap((item) => stringsIn(item));
  return typeof value === 'object' && value !== null
    ? Object.values(value).flatMap((item) => stringsIn(item))
    : [];
};
