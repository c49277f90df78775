import { MessageId } from '@app/kernel';
import type { Message } from '../message/index.js';
import { parseQuoteLine } from './quote-line.js';
import { spokenTexts } from './spoken-text.js';

/** What is known to be the user's words, by message; `messages` are all that there are, whoever wrote them. */
export type Said = {
  readonly words: ReadonlyMap<string, readonly string[]>;
  readonly messages: ReadonlySet<string>;
};

/** What came of the quotes of a summary. An unfounded one is named by its message, or by `null` without one. */
export type QuoteCheck = { readonly checked: number; readonly unfounded: readonly (MessageId | null)[] };

/** The summary that stands before what is summarized, and what came of its quotes when it was made. */
export type CheckedSummary = { readonly summary: string; readonly check: QuoteCheck | undefined };

/**
 * The user's words in `messages`, and those that an earlier summary quotes. Its messages are not read again: what
 * was founded then is founded, and nothing of a message is that had an unfounded quote then.
 */
export const saidIn = (messages: readonly Message[], earlier: CheckedSummary | undefined): Said => {
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
  // What was named as unfounded then was a message, too.
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

/** The message that a quote names, where there is one: an id of nobody's may be anything, content too. */
export const knownId = (id: string, { messages }: Said): MessageId | null =>
  messages.has(id) ? MessageId(id) : null;
