import type { Block } from '@app/domain';
import type { DraftMessage } from '../drafts/draft.js';
import type { Retained } from '../transcript.js';

type Shown = { readonly eventIds: readonly string[]; readonly message: DraftMessage; isRestated: boolean };

/** Maximum characters of kept messages: many times any model's window. */
const HELD_MAX = 64 * 1024 * 1024;
/** Number of first messages that agents keep in every condensation. */
const FIRST_MESSAGES = 32;

/** The messages that the agent sends to its model: a condensation lists the omitted ones. */
export class View {
  #shown: Shown[] = [];
  #size = 0;

  add(eventIds: readonly string[], message: DraftMessage): void {
    this.#shown.push({ eventIds, message, isRestated: false });
    this.#size += sizeOf(message);
    while (this.#size > HELD_MAX && this.#shown.length > FIRST_MESSAGES + 1) {
      const [dropped] = this.#shown.splice(FIRST_MESSAGES, 1);
      if (dropped) this.#size -= sizeOf(dropped.message);
    }
  }

  /** Returns the retained messages. */
  condense(isForgotten: (eventId: string) => boolean): Retained {
    const all = this.#shown;
    const kept = all.filter(({ eventIds }) => !eventIds.every(isForgotten));
    this.#shown = kept;
    this.#size = kept.reduce((sum, { message }) => sum + sizeOf(message), 0);
    const [first] = kept;
    if (first === undefined) return { kind: 'none' };
    const isTail = all[all.length - kept.length] === first && !kept.some(({ isRestated }) => isRestated);
    if (isTail && first.message.id !== undefined) return { kind: 'from', messageId: first.message.id };
    for (const shown of kept) shown.isRestated = true;
    return { kind: 'listed', messages: kept.map(({ message: { role, blocks } }) => ({ role, blocks })) };
  }
}

const sizeOf = ({ blocks }: DraftMessage): number =>
  blocks.reduce((sum, block) => sum + sizeOfBlock(block), 0);
const sizeOfBlock = ({ text, content }: Block): number => {
  const said = text ?? content;
  return typeof said === 'string' ? said.length : JSON.stringify(said ?? '').length + 100;
};
