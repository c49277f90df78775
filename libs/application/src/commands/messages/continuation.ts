import type { Block, Entry, Message, OpenSession } from '@app/domain';
import { AppError, canonicalJson, MessageId, type Revision, Slices, type TenantId } from '@app/kernel';
import type { Digester, EventLog, KeyedDigests } from '@app/ports';
import { type SessionRef, streamOf } from '../../sessions/session-ref.js';

/** A message from a caller, with an optional ID. */
export type MessageDraft = Omit<Message, 'id'> & { readonly id?: MessageId };

/** A session as of a revision. */
export type Known = { readonly session: OpenSession; readonly revision: Revision };

/**
 * Returns how many leading drafts the session already ends with. Reads at most as many messages as there are drafts, and the
 * log only for those that compactions removed from the context.
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

/** The message that the session must end with before new ones, `null` for none; absent if it may end with any. */
export type Predecessor = { readonly after?: MessageId | null };

/**
 * Requires that the session ends with `after`, or with it and leading drafts, which were recorded before. Messages that the service
 * wrote count for nothing.
 *
 * @param digests compare drafts without an ID.
 * @throws {AppError} `revision-mismatch`.
 */
export const requirePredecessor = async (
  log: EventLog,
  ref: SessionRef,
  { after, messages }: Predecessor & { readonly messages: readonly MessageDraft[] },
  { session, revision }: Known,
  digests?: Digests,
): Promise<void> => {
  if (after === undefined) return;
  const newest = session.entries.at(-1);
  if (newest?.message.id === after && newest.position === session.messages - 1) return;
  const behind: Message[] = [];
  let isThere = after === null;
  for await (const { event } of log.readBackwards(streamOf(ref), { from: revision })) {
    if (event.type !== 'MessageAppended' || event.data.message.synthetic) continue;
    const { message } = event.data;
    isThere ||= message.id === after;
    if (message.id === after || behind.length > messages.length) break;
    behind.push(message);
  }
  if (isThere && (await areRepeated(messages, behind.reverse(), digests))) return;
  throw new AppError(
    'revision-mismatch',
    `the session ${after === null ? 'has messages' : `does not end with message "${after}"`}: read it again, and fork it if it continues otherwise`,
  );
};

/** Whether leading drafts are the recorded messages; by content where a draft has no ID. */
const areRepeated = async (
  drafts: readonly MessageDraft[],
  recorded: readonly Message[],
  digests: Digests | undefined,
): Promise<boolean> => {
  for (const [at, message] of recorded.entries()) {
    const draft = drafts[at];
    if (!draft) return false;
    const isRepeated =
      draft.id === undefined && digests ? await isSame(draft, message, digests) : draft.id === message.id;
    if (!isRepeated) return false;
  }
  return true;
};

/** Whether the drafts start with the recorded messages from one of them on. */
const beginsWith = async (
  drafts: readonly MessageDraft[],
  recorded: readonly Message[],
  from: number,
  digests: Digests,
): Promise<boolean> => {
  for (let at = from; at < recorded.length; at += 1) {
    const [draft, message] = [drafts[at - from], recorded[at]];
    if (!draft || !message || !couldBe(draft, message)) return false;
    if (!(await isSame(draft, message, digests))) return false;
  }
  return true;
};

/** Erased content is compared by the digest in the ID that was derived from it: a caller that still has it does not bring it back. */
const isSame = async (draft: MessageDraft, recorded: Message, digests: Digests): Promise<boolean> => {
  if (!recorded.erased) return (await digests.of(draft)) === (await digests.of(recorded));
  if (draft.id !== undefined) return draft.id === recorded.id;
  const [, digest] = DERIVED_ID.exec(recorded.id) ?? [];
  return digest !== undefined && (await digests.of(draft)).startsWith(digest);
};
const DERIVED_ID = /^m\d+-([0-9a-f]{16})$/;

/** Gives each draft an ID; a missing one is derived from the position in the session and the content. */
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

/** Cache of the keyed digests of roles and contents, computed once for each message, in slices. Use it for one request. */
export class Digests {
  private readonly made = new Map<Message['blocks'], string>();
  private readonly slices = new Slices();
  private digester: Promise<Digester> | undefined;

  constructor(
    private readonly keyed: KeyedDigests,
    private readonly tenant: TenantId,
  ) {}

  async of({ role, blocks }: Said): Promise<string> {
    if (this.slices.isOver) await this.slices.next();
    const known = this.made.get(blocks);
    if (known !== undefined) return known;
    const text = canonicalJson({ role, blocks });
    if (this.slices.isOver) await this.slices.next();
    this.digester ??= this.keyed.digester(this.tenant, 'message');
    const digest = (await this.digester)(text);
    this.made.set(blocks, digest);
    return digest;
  }
}

/** Returns the newest appended messages, oldest first; `undefined` if the context lacks any of them. */
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

/** Compares a draft with a recorded message cheaply; `false` means that they differ. */
const couldBe = (draft: MessageDraft, recorded: Message): boolean =>
  draft.role === recorded.role &&
  (draft.id === undefined || draft.id === recorded.id) &&
  (recorded.erased !== undefined ||
    (draft.blocks.length === recorded.blocks.length &&
      draft.blocks.every((block, at) => textOf(block) === textOf(recorded.blocks[at]))));

const textOf = (block: Block | undefined): string | undefined =>
  block?.type === 'text' ? block.text : undefined;
