import { createHash } from 'node:crypto';
import type { Block, Entry, Message, OpenSession } from '@app/domain';
import { canonicalJson, MessageId, type Revision, Slices } from '@app/kernel';
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
  digests: Digests,
): Promise<number> => {
  const recorded =
    newestIn(session, drafts.length) ?? (await newestMessages(log, ref, drafts.length, revision));
  for (let known = recorded.length; known > 0; known -= 1) {
    if (await beginsWith(drafts, recorded, recorded.length - known, digests)) return known;
  }
  return 0;
};

/** Whether the drafts begin with the recorded messages from one of them on. */
const beginsWith = async (
  drafts: readonly MessageDraft[],
  recorded: readonly Message[],
  from: number,
  digests: Digests,
): Promise<boolean> => {
  for (let at = from; at < recorded.length; at += 1) {
    const [draft, message] = [drafts[at - from], recorded[at]];
    if (!draft || !message || !couldBe(draft, message)) return false;
    if ((await digests.of(draft)) !== (await digests.of(message))) return false;
  }
  return true;
};

/** The drafts under names of their own; one that has none gets it from its place in the session and what it says. */
export const named = async (
  drafts: readonly MessageDraft[],
  place: number,
  digests: Digests,
): Promise<readonly Message[]> => {
  const messages: Message[] = [];
  for (const [at, { id, ...said }] of drafts.entries()) {
    const own = id ?? MessageId(`m${place + at}-${(await digests.of(said)).slice(0, 16)}`);
    messages.push({ ...said, id: own });
  }
  return messages;
};

type Said = Pick<Message, 'role' | 'blocks'>;

/** SHA-256 of who says what, hexadecimal: made once for each message, in slices. */
export class Digests {
  private readonly made = new Map<Message['blocks'], string>();
  private readonly slices = new Slices();

  async of({ role, blocks }: Said): Promise<string> {
    if (this.slices.isOver) await this.slices.next();
    const known = this.made.get(blocks);
    if (known !== undefined) return known;
    const text = canonicalJson({ role, blocks });
    if (this.slices.isOver) await this.slices.next();
    const digest = createHash('sha256').update(text).digest('hex');
    this.made.set(blocks, digest);
    return digest;
  }
}

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

/** Whether a draft may say the same as what is recorded, as far as that can be seen without reading all of both. */
const couldBe = (draft: MessageDraft, recorded: Message): boolean =>
  draft.role === recorded.role &&
  (draft.id === undefined || draft.id === recorded.id) &&
  draft.blocks.length === recorded.blocks.length &&
  draft.blocks.every((block, at) => lengthOf(block) === lengthOf(recorded.blocks[at]));

const lengthOf = (block: Block | undefined): number | undefined =>
  block?.type === 'text' ? block.text.length : undefined;
