import { type Revision, sumTokens, Tokens } from '@app/kernel';
import { ERASED_TOKENS, type Message } from '../message/index.js';

/** A message at its position in the session. */
export type Entry = {
  readonly message: Message;
  readonly revision: Revision;
  /** The message as a part of a request, and each of its blocks. */
  readonly tokens: Tokens;
  readonly blockTokens: readonly Tokens[];
  /** Turn number from 1; 0 before the first turn. */
  readonly turn: number;
  /** Number of messages appended before it. */
  readonly position: number;
};

/** An entry as requests carry it: of an erased message only markers are left, which have no more than a few tokens. */
export const asRead = (entry: Entry): Entry => {
  if (!entry.message.erased) return entry;
  const blockTokens = entry.blockTokens.map((tokens) => Tokens(Math.min(tokens, ERASED_TOKENS)));
  const removed = sumTokens(entry.blockTokens) - sumTokens(blockTokens);
  return { ...entry, blockTokens, tokens: Tokens(Math.max(0, entry.tokens - removed)) };
};
