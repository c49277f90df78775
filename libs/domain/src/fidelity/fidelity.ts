import { type CompactionId, MessageId, type Share } from '@app/kernel';
import { isText, isToolResult, isToolUse, type Message, resultText, textBlock } from '../message/index.js';
import { parseQuoteLine } from '../quotes/quote-line.js';
import { spokenTexts } from '../quotes/spoken-text.js';
import { strengthOf } from './directive.js';
import { addKeysOf, KEY_KINDS, type KeyKind, kindOfKey } from './keys.js';
import { contentWords } from './words.js';

/**
 * The share of covered content that the context still contains, counted without a model: names, paths, errors and
 * numbers by weight, and sentences with wishes or demands of the user.
 */
export type Fidelity = {
  /** Share of the weight of all keys, 0 to 1; 1 without keys. */
  readonly score: Share;
  readonly keys: number;
  /** The weightiest keys that are gone, and the last covered message that had each. */
  readonly missing: readonly { readonly key: string; readonly messageId: MessageId }[];
  /** Number of missing keys. Absent in older events, like `kinds`. */
  readonly missingKeys?: number;
  readonly kinds?: Readonly<Record<KeyKind, KeptCount>>;
  /** `missing` are the messages of lost directives, newest first. Absent in older events. */
  readonly directives: KeptCount & {
    readonly missing?: readonly MessageId[];
    /** The sentences themselves, the newest first; absent in events from before they were recorded. */
    readonly lost?: readonly LostDirective[];
  };
};
/** A sentence in which the user wished or demanded something, and the covered message that has it. */
type LostDirective = { readonly messageId: MessageId; readonly sentence: string };
/** Numbers of directives: in the covered content, and still in the context. */
type KeptCount = { readonly kept: number; readonly of: number };

/** In UTF-16 units: longer lines are split, because key detection is made for short ones. */
const LINE_MAX = 400;
/**
 * UTF-16 units of a message that are searched: content after them is more likely data than a name that is used later.
 */
const TEXT_MAX = 20_000;
/** Maximum of listed losses. */
const MISSING_MAX = 100;
/** Messages with a lost directive, and lost directives, that are listed. */
const DIRECTIVES_MAX = 20;
/** In UTF-16 units. */
const SENTENCE_MAX = 400;
/** A key counts more often where more messages have it, but not without end. */
const MENTIONS_MAX = 8;
const DIRECTIVE_WORDS = { min: 4, max: 60 } as const;
/** A sentence is kept if this share of its words is within three consecutive lines. */
const KEPT_SHARE = 0.75;
const KEPT_LINES = 3;
/** A word in more lines than these is ignored, which bounds the cost for repetitive summaries. */
const WORD_PLACES_MAX = 200;

/** Mentions of a key: the weight of its kind, the number of messages with it, and the last of them. */
export type Mention = { weight: number; messages: number; last: MessageId };

/** @param context the retained messages in full; `summary` replaces the covered ones. */
export const fidelityOf = (
  covered: readonly Message[],
  summary: string,
  context: readonly Message[],
): Fidelity => {
  const mentions = mentionsIn(covered);
  const left = new Map<string, number>();
  for (const line of linesOf([summary, ...context.map(textOfAll)].join('\n'))) addKeysOf(line, left);

  const weighed = [...mentions].map(([key, mention]) => ({
    key,
    messageId: mention.last,
    weight: worthOf(mention),
  }));
  const total = weighed.reduce((sum, { weight }) => sum + weight, 0);
  const missing = weighed.filter(({ key }) => !left.has(key));
  const lost = missing.reduce((sum, { weight }) => sum + weight, 0);
  return {
    score: total === 0 ? 1 : rounded(1 - lost / total),
    keys: mentions.size,
    missing: missing
      .sort((a, b) => b.weight - a.weight || (a.key < b.key ? -1 : 1))
      .slice(0, MISSING_MAX)
      .map(({ key, messageId }) => ({ key, messageId })),
    missingKeys: missing.length,
    kinds: keptByKind(mentions.keys(), left),
    directives: directivesKept(covered, summary),
  };
};

const keptByKind = (
  keys: Iterable<string>,
  left: ReadonlyMap<string, number>,
): Record<KeyKind, KeptCount> => {
  const counts = new Map(KEY_KINDS.map((kind) => [kind, { kept: 0, of: 0 }]));
  for (const key of keys) {
    const count = counts.get(kindOfKey(key));
    if (!count) continue;
    count.of += 1;
    if (left.has(key)) count.kept += 1;
  }
  const of = (kind: KeyKind): KeptCount => counts.get(kind) ?? { kept: 0, of: 0 };
  return {
    identifiers: of('identifiers'),
    paths: of('paths'),
    errors: of('errors'),
    numbers: of('numbers'),
  };
};

export const worthOf = ({ weight, messages }: Mention): number =>
  weight * Math.log2(1 + Math.min(messages, MENTIONS_MAX));

/** Every key of the messages with how it is mentioned. */
export const mentionsIn = (covered: readonly Message[]): ReadonlyMap<string, Mention> => {
  const mentions = new Map<string, Mention>();
  for (const message of covered) {
    const found = new Map<string, number>();
    for (const line of linesOf(textOfAll(message))) addKeysOf(line, found);
    for (const [key, weight] of found) {
      const known = mentions.get(key);
      if (known) Object.assign(known, { messages: known.messages + 1, last: message.id });
      else mentions.set(key, { weight, messages: 1, last: message.id });
    }
  }
  return mentions;
};

/** Returns the text of a message: text, calls and results, without reasoning. */
export const textOfAll = ({ blocks }: Message): string =>
  blocks
    .flatMap((block): string[] => {
      if (isText(block)) return [block.text];
      if (isToolUse(block)) return [block.name, ...stringsOf(block.input)];
      if (isToolResult(block)) return [resultText(block)];
      return [];
    })
    .join('\n')
    .slice(0, TEXT_MAX);

const stringsOf = (value: unknown): string[] => {
  if (typeof value === 'string') return [value];
  if (Array.isArray(value)) return value.flatMap(stringsOf);
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(stringsOf) : [];
};

/** Yields the lines of a text, split to the maximum length for key detection. */
export function* linesOf(text: string): Generator<string> {
  for (const line of text.split('\n'))
    for (let at = 0; at < line.length; at += LINE_MAX) yield line.slice(at, at + LINE_MAX);
}

const directivesKept = (covered: readonly Message[], summary: string): Fidelity['directives'] => {
  const isIn = windowsOf(summary);
  const directives = covered
    .flatMap((message) =>
      spokenTexts(message).flatMap((text) =>
        sentencesOf(text).map((sentence) => ({ id: message.id, sentence })),
      ),
    )
    .filter(({ sentence }) => strengthOf(sentence) > 0)
    .map(({ id, sentence }) => ({ id, sentence, words: contentWords(sentence) }))
    .filter(({ words: { size } }) => size >= DIRECTIVE_WORDS.min && size <= DIRECTIVE_WORDS.max);
  const gone = directives.filter(({ words }) => !isIn(words));
  const ids = [...new Set(gone.toReversed().map(({ id }) => id))];
  return {
    kept: directives.length - gone.length,
    of: directives.length,
    missing: ids.slice(0, DIRECTIVES_MAX),
    lost: gone
      .toReversed()
      .slice(0, DIRECTIVES_MAX)
      .map(({ id, sentence }) => ({
        messageId: id,
        sentence: sentence.slice(0, SENTENCE_MAX).toWellFormed(),
      })),
  };
};

const sentencesOf = (text: string): string[] => text.slice(0, TEXT_MAX).split(/(?<=[.!?])\s+|\n+/);

/**
 * Returns a test whether most of the words stand within a few consecutive lines of `summary`. It visits only lines
 * with at least one of the words.
 */
const windowsOf = (summary: string): ((words: ReadonlySet<string>) => boolean) => {
  const places = new Map<string, number[]>();
  const lines = summary.split('\n').filter((line) => line.trim() !== '');
  for (const [at, line] of lines.entries())
    for (const word of contentWords(line)) {
      const known = places.get(word);
      if (!known) places.set(word, [at]);
      else if (known.length < WORD_PLACES_MAX) known.push(at);
    }
  return (words) => {
    const shared = new Map<number, number>();
    for (const word of words) {
      const windows = new Set(
        places.get(word)?.flatMap((at) => Array.from({ length: KEPT_LINES }, (_, back) => at - back)),
      );
      for (const window of windows) shared.set(window, (shared.get(window) ?? 0) + 1);
    }
    return [...shared.values()].some((count) => count >= KEPT_SHARE * words.size);
  };
};

const rounded = (share: number): number => Math.round(share * 1_000) / 1_000;

/**
 * Returns messages that represent an earlier summary: the quoted user messages, and the rest under the id of its
 * compaction, so that facts missing from the next summary are detected.
 */
export const earlierMessages = (summary: string, compactionId: CompactionId): readonly Message[] => {
  const rest: string[] = [];
  const quoted: Message[] = [];
  for (const line of summary.split('\n')) {
    const quote = parseQuoteLine(line);
    if (!quote) rest.push(line);
    else {
      const blocks = quote.segments.map(({ text }) => textBlock(text));
      quoted.push({ id: MessageId(quote.id), role: 'user', blocks });
    }
  }
  return [
    ...quoted,
    { id: MessageId(compactionId), role: 'assistant', blocks: [textBlock(rest.join('\n'))] },
  ];
};
