import { headAndTail, type MessageId, Tokens } from '@app/kernel';
import { defused } from '../../message/defused.js';
import { type Block, isText, type Message } from '../../message/index.js';
import type { Entry } from '../../session/entry.js';
import type { TruncatedMessage } from '../../session/facts.js';
import type { Footing, Rung } from './shortening.js';

/** A message of which less than this is left, in counted tokens, would say nothing. */
const LEAST_TOKENS = 64;
/** Upper bound of the tokens of the mark and of the line between head and tail. */
const MARK_TOKENS = 90;
/** Head and tail may be denser than the whole: no more characters than this are believed to make a token. */
const CHARACTERS_PER_TOKEN = 2;

/** The text of a message that stays on this rung, and its counted tokens. */
type Text = { readonly entry: Entry; readonly at: number; readonly tokens: number };

/**
 * Rung 4 of 4: cuts the largest remaining texts to head and tail, all to the same size, for every role. Each is
 * marked with the id of its complete message.
 */
export const truncateMessages = ({ session, excess }: Footing, below: Rung): Rung => {
  const missing = excess - below.freed;
  const left = new Set(below.messages.map(({ id }) => id));
  const entries = session.entries.filter(({ message }) => left.has(message.id));
  const texts = entries.flatMap((entry) =>
    entry.message.blocks.flatMap((block, at): Text[] =>
      isText(block) ? [{ entry, at, tokens: entry.blockTokens[at] ?? 0 }] : [],
    ),
  );
  const size = sizeThatGains(texts, missing);
  const cut = texts.filter(({ tokens }) => tokens > size);
  const byMessage = new Map<MessageId, Text[]>();
  for (const text of cut) {
    const { id } = text.entry.message;
    const known = byMessage.get(id);
    if (known) known.push(text);
    else byMessage.set(id, [text]);
  }
  const truncated = [...byMessage].map(([messageId, its]): TruncatedMessage => {
    const before = its[0]?.entry.tokens ?? Tokens(0);
    return { messageId, countedBefore: before, countedAfter: Tokens(before - gainOf(its, size)) };
  });
  const messages = below.messages.map((message) => cutIn(message, byMessage.get(message.id) ?? [], size));
  return { ...below, messages, truncated, freed: below.freed + gainOf(cut, size) };
};

const gainOf = (texts: readonly Text[], size: number): number =>
  texts.reduce((sum, { tokens }) => sum + Math.max(0, tokens - size), 0);

/**
 * Returns the largest size to which texts can be cut to gain `missing` tokens; the minimum if that does not suffice.
 */
const sizeThatGains = (texts: readonly Text[], missing: number): number => {
  let least = LEAST_TOKENS + MARK_TOKENS;
  let most = texts.reduce((max, { tokens }) => Math.max(max, tokens), least);
  while (least < most) {
    const middle = Math.ceil((least + most) / 2);
    if (gainOf(texts, middle) >= missing) least = middle;
    else most = middle - 1;
  }
  return least;
};

const cutIn = (message: Message, texts: readonly Text[], size: number): Message => {
  if (texts.length === 0) return message;
  const sizes = new Map(texts.map(({ at, tokens }) => [at, tokens]));
  const blocks = message.blocks.map((block, at): Block => {
    const tokens = sizes.get(at);
    return tokens === undefined || !isText(block)
      ? block
      : { ...block, text: truncatedText(block.text, message.id, tokens, size) };
  });
  return { ...message, blocks };
};

const CLOSING = '</truncated-message>';

const truncatedText = (text: string, id: MessageId, tokens: number, size: number): string => {
  const density = Math.min(CHARACTERS_PER_TOKEN, text.length / tokens);
  const rest = headAndTail(text, Math.max(0, Math.floor((size - MARK_TOKENS) * density)));
  return [
    `<truncated-message message="${defused(id)}" tokens="${tokens}">`,
    'This message was too large for the request. Its beginning and its end; the whole is in the log of the session:',
    defused(rest),
    CLOSING,
  ].join('\n');
};
