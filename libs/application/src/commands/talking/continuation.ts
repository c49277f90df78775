import { createHash } from 'node:crypto';
import type { Message } from '@app/domain';
import { canonicalJson, MessageId, type Revision } from '@app/kernel';
import type { EventLog } from '@app/ports';
import { type SessionRef, streamOf } from '../../sessions/session-ref.js';

/** A message as somebody hands it in, who may not have named it. */
export type MessageDraft = Omit<Message, 'id'> & { readonly id?: MessageId };

/**
 * How many of the drafts the session ends with already: what is handed in again, or has grown since, says nothing new up to
 * there. Only as many messages are read as there are drafts, whatever compactions have taken out of the context since.
 */
export const knownOf = async (
  log: EventLog,
  ref: SessionRef,
  drafts: readonly MessageDraft[],
  asOf?: Revision,
): Promise<number> => {
  const recorded = await newestMessages(log, ref, drafts.length, asOf);
  for (let known = recorded.length; known > 0; known -= 1) {
    const last = recorded.slice(recorded.length - known);
    if (last.every((message, at) => isSame(drafts[at], message))) return known;
  }
  return 0;
};

/** The draft under a name of its own; one that has none gets it from its place in the session and what it says. */
export const named = ({ id, ...said }: MessageDraft, place: number): Message => ({
  ...said,
  id: id ?? MessageId(`m${place}-${digestOf(said).slice(0, 16)}`),
});

/** Oldest first. */
const newestMessages = async (
  log: EventLog,
  ref: SessionRef,
  count: number,
  asOf: Revision | undefined,
): Promise<Message[]> => {
  const newestFirst: Message[] = [];
  const range = asOf === undefined ? {} : { from: asOf };
  for await (const { event } of log.readBackwards(streamOf(ref), range)) {
    if (newestFirst.length === count) break;
    if (event.type === 'MessageAppended') newestFirst.push(event.data.message);
  }
  return newestFirst.reverse();
};

const isSame = (draft: MessageDraft | undefined, recorded: Message): boolean =>
  draft !== undefined &&
  (draft.id === undefined || draft.id === recorded.id) &&
  digestOf(draft) === digestOf(recorded);

/** SHA-256 of who says what, hexadecimal. */
const digestOf = ({ role, blocks }: Pick<Message, 'role' | 'blocks'>): string =>
  createHash('sha256').update(canonicalJson({ role, blocks })).digest('hex');
