import { MessageId } from '@app/kernel';
import type { Message } from '../message/index.js';
import { parseQuoteLine } from './quote-line.js';
import { spokenTexts } from './spoken-text.js';

/** The known user text by message; `messages` are all ids, of every role. */
export type KnownUserText = {
  readonly words: ReadonlyMap<string, readonly string[]>;
  readonly messages: ReadonlySet<string>;
};

/**
 * The result of checking the quotes of a summary. An unfounded quote is listed by its message id, or `null` without
 * one.
 */
export type QuoteCheck = { readonly checked: number; readonly unfounded: readonly (MessageId | null)[] };

/** The previous summary, and the result of its quote check. */
export type CheckedSummary = { readonly summary: string; readonly check: QuoteCheck | undefined };

/**
 * Returns the user text in `messages`, and in the quotes of an earlier summary. Its messages are not read again:
 * founded quotes count, except those of messages with an unfounded quote.
 */
export const knownUserText = (
  messages: readonly Message[],
  earlier: CheckedSummary | undefined,
): KnownUserText => {
  const words = new Map<string, string[]>();
  const add = (id: string, texts: readonly string[]): void => {
    words.set(id, [...(words.get(id) ?? []), ...texts.map(comparable)]);
  };
  const doubtful = new Set<string | null>(earlier?.check?.unfounded);
  for (const line of (earlier?.summary ?? '').split('\n')) {
    const quote = parseQuoteLine(line);
    if (quote && !doubtful.has(quote.id))
      add(
        quote.id,
        quote.segments.map(({ text }) => text),
      );
  }
  // Ids of unfounded quotes were message ids, too.
  const known = new Set([...words.keys(), ...[...doubtful].filter((id) => id !== null)]);
  for (const message of messages) {
    known.add(message.id);
    const texts = spokenTexts(message);
    if (texts.length > 0) add(message.id, texts);
  }
  return { words, messages: known };
};

/** Without the differences that copying makes: of blanks, and of the form of quotation marks. */
export const comparable = (text: string): string =>
  text
    .replace(/[“”„«»]/g, '"')
    .replace(/[‘’‚]/g, "'")
    .replace(/\s+/g, ' ')
    .trim();

/** Returns the message id of a quote if the message exists: unknown ids may contain any text. */
export const knownId = (id: string, { messages }: KnownUserText): MessageId | null =>
  messages.has(id) ? MessageId(id) : null;
