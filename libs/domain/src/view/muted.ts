import { sumTokens, type Tokens } from '@app/kernel';
import { isReasoning } from '../message/index.js';
import { disposablePlaces, type Entry } from '../session/entry.js';
import { collapsedTurns, type OpenSession } from '../session/state.js';

/** A message with disposable reasoning, by index, and the tokens that its omission saves. */
export type Muted = { readonly at: number; readonly entry: Entry; readonly freed: Tokens };

/**
 * Returns the messages whose disposable reasoning requests omit: those of ended turns, so that no running thinking
 * loop loses its beginning. Reasoning dropped by a mark does not count again.
 */
export const mutedMessages = (session: OpenSession): readonly Muted[] => {
  const { entries, turn, marks } = session;
  const muted: Muted[] = [];
  for (const at of disposablePlaces(entries)) {
    const entry = entries[at];
    if (!entry || entry.turn >= turn) continue;
    const freed = reasoningTokens(entry);
    if (freed > 0) muted.push({ at, entry, freed });
  }
  if (muted.length === 0) return muted;
  const dropped = new Set(marks.droppedReasoning.map(({ messageId }) => messageId));
  const collapsed = collapsedTurns(session);
  return muted.filter(({ entry }) => !dropped.has(entry.message.id) && !collapsed.has(entry.turn));
};

/** Returns the counted tokens of the reasoning in a message. */
export const reasoningTokens = ({ message, blockTokens }: Pick<Entry, 'message' | 'blockTokens'>): Tokens =>
  sumTokens(
    blockTokens.filter((_, place) => {
      const block = message.blocks[place];
      return block !== undefined && isReasoning(block);
    }),
  );
