import { createHash } from 'node:crypto';
import type { Entry, Message, OpenSession } from '@app/domain';
import { canonicalJson, MessageId, type Revision } from '@app/kernel';
import type { EventLog } from '@app/ports';
import { type SessionRef, streamOf } from '../../sessions/session-ref.js';

/** A message as somebody hands it in, who may not have named it. */
export type MessageDraft = Omit<Message, 'id'> & { readonly id?: MessageId };

/** A session as of a revision. */
export type Known = { readonly session: OpenSession; readonly revision: Revision };

/**
 * How many of the drafts the session ends with already: what is handed in again, or has grown since, says nothing new up to
 * there. Only as many messages are looked at as there are drafts, and the log is read only where compactions have taken
 * some of them out of the context since.
 */
export const knownOf = async (
  log: EventLog,
  ref: SessionRef,
  drafts: readonly MessageDraft[],
  { session, revision }: Known,
): Promise<number> => {
  const recorded =
    newestIn(session, drafts.length) ?? (await newestMessages(log, ref, drafts.length, revision));
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

/** The newest messages that were appended, oldest first; `undefined` where not all of them stand in the context. */
const newestIn = (
  { entries, leadingSystem, messages }: OpenSession,
  count: number,
): readonly Message[] | undefined => {
  const wanted = Math.min(count, messages);
  const newest: Entry[] = entries.slice(Math.max(0, entries.length - wanted));
  if (newest.length < wanted) newest.unshift(...leadingSystem.slice(newest.length - wanted));
  const isWhole = newest.length === wanted && newest[0]?.position === messages - wanted;
  return wanted === 0 || isWhole ? newest.map(({ message }) => message) : undefined;
};

/** Oldest first. */
const newestMessages = async (
  log: EventLog,
  ref: SessionRef,
  count: number,
  from: Revision,
): Promise<Message[]> => {
  const newestFirst: Message[] = [];
  for await (const { event } of log.readBackwards(streamOf(ref), { from })) {
    if (newestFirst.length === count) break;
    if (event.type === 'MessageAppended') newestFirst.push(event.data.message);
  }
  return newestFirst.reverse();
};

const isSame = (draft: MessageDraft | undefined, recorded: Message): boolean =>
  draft !== undefined &&
  draft.role === recorded.role &&
  (draft.id === undefined || draft.id === recorded.id) &&
  digestOf(draft) === digestOf(recorded);

/** SHA-256 of who says what, hexadecimal. */
const digestOf = ({ role, blocks }: Pick<Message, 'role' | 'blocks'>): string =>
  createHash('sha256').update(canonicalJson({ role, blocks })).digest('hex');
