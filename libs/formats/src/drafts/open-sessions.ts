import { canonicalJson, invariant, isName, LIMITS } from '@app/kernel';
import type { Retained, TranscriptItem, TranscriptPruning, TranscriptSession } from '../transcript.js';
import { callIdFrom, withCallNames } from './call-names.js';
import type { DraftCompaction, DraftMessage, DraftSession } from './draft.js';
import { messageIdFrom, sessionIdPart, stemOf, UniqueIds } from './ids.js';
import { insertedIn } from './inserted.js';

/** A session's id, and the message ids in use. */
type Opened = {
  readonly id: string;
  /** The session at the root of its branches; itself without a branch. */
  readonly trunk: string;
  readonly source: Opened | undefined;
  readonly messageIds: UniqueIds;
  messageCount: number;
  readonly compactionIds: UniqueIds;
  compactionCount: number;
};

/** What sessions without an id are named after: the file, and a digest of their first messages. */
export type SessionNaming = { readonly name: string; readonly digest?: (text: string) => string };

/** Assigns ids to the sessions of one file and to their messages. */
export class OpenSessions {
  readonly #stem: string;
  readonly #sessionIds = new UniqueIds();
  readonly #byKey = new Map<string, Opened>();
  /** Titles of sessions that are not open yet. */
  readonly #titles = new Map<string, string>();

  readonly #digest: SessionNaming['digest'];

  constructor({ name, digest }: SessionNaming) {
    this.#stem = sessionIdPart(stemOf(name), STEM_MAX);
    this.#digest = digest;
  }

  /** @param first the first messages of the session known so far. */
  open(draft: DraftSession, first: readonly DraftMessage[]): TranscriptSession {
    const parentId = this.#parentIdOf(draft);
    const forkOf = this.#forkOf(draft);
    const id = this.#sessionIds.take(this.#idOf(draft, parentId, first));
    const source = draft.fork && this.#byKey.get(draft.fork.fromKey);
    this.#byKey.set(draft.key, {
      id,
      trunk: this.#trunkOf(draft) ?? id,
      source,
      messageIds: new UniqueIds(),
      messageCount: source?.messageCount ?? 0,
      compactionIds: new UniqueIds(),
      compactionCount: 0,
    });

    const model = draft.model ?? first.find((message) => message.model !== undefined)?.model;
    return {
      id,
      ...(parentId !== undefined && { parentId }),
      ...(forkOf && { forkOf }),
      ...(model !== undefined && { model }),
      ...(draft.window !== undefined && { window: draft.window }),
      ...(draft.system !== undefined && { system: draft.system }),
      ...(draft.tools !== undefined && { tools: draft.tools }),
      ...this.#titleOf(draft.key),
      ...(draft.project !== undefined && { project: draft.project }),
    };
  }

  *title(key: string, given: string): Generator<TranscriptItem, void, undefined> {
    const title = given.trim();
    if (!isName(title, LIMITS.title.max)) return;
    const session = this.#byKey.get(key);
    if (session) yield { kind: 'title', sessionId: session.id, title };
    else this.#titles.set(key, title);
  }

  message(key: string, { id, ...draft }: DraftMessage): TranscriptItem {
    const session = this.#opened(key);
    const message = { ...draft, blocks: draft.blocks.map(withCallNames) };
    session.messageCount += 1;
    const wanted = id === undefined || id === '' ? `message-${session.messageCount}` : messageIdFrom(id);
    const inserted = message.role === 'user' ? insertedIn(message.blocks) : undefined;
    return {
      kind: 'message',
      sessionId: session.id,
      message: { id: freeIn(session, wanted), ...message, ...(inserted && { inserted }) },
    };
  }

  compaction(key: string, { id, retained, ...compaction }: DraftCompaction): TranscriptItem {
    const session = this.#opened(key);
    session.compactionCount += 1;
    const wanted =
      id === undefined || id === '' ? `compaction-${session.compactionCount}` : messageIdFrom(id);
    return {
      kind: 'compaction',
      sessionId: session.id,
      compaction: {
        id: session.compactionIds.take(wanted),
        ...compaction,
        retained: retainedIn(session, retained),
      },
    };
  }

  pruning(key: string, pruning: TranscriptPruning): TranscriptItem {
    return {
      kind: 'pruning',
      sessionId: this.#opened(key).id,
      pruning: { ...pruning, callIds: pruning.callIds.map(callIdFrom) },
    };
  }

  #titleOf(key: string): { readonly title?: string } {
    const title = this.#titles.get(key);
    return title === undefined ? {} : { title };
  }

  #opened(key: string): Opened {
    const session = this.#byKey.get(key);
    invariant(session, 'a reader yielded something of a session that it has not opened');
    return session;
  }

  /** A fork from before the first message begins with nothing: it is a session like any other. */
  #forkOf({ fork }: DraftSession): TranscriptSession['forkOf'] {
    const source = fork && this.#byKey.get(fork.fromKey);
    if (!fork?.behind || !source) return undefined;
    const { kind, id } = fork.behind;
    return { sessionId: source.id, behind: { kind, id: messageIdFrom(id) } };
  }

  #trunkOf({ fork }: DraftSession): string | undefined {
    return fork && this.#byKey.get(fork.fromKey)?.trunk;
  }

  #parentIdOf({ chain, ownId, parentOwnId }: DraftSession): string | undefined {
    if (chain === undefined) return parentOwnId && sessionIdPart(parentOwnId, OWN_ID_MAX);
    return this.#byKey.get(chain.parentKey)?.id ?? (ownId && sessionIdPart(ownId, OWN_ID_MAX));
  }

  #idOf(draft: DraftSession, parentId: string | undefined, first: readonly DraftMessage[]): string {
    if (draft.chain !== undefined && parentId !== undefined) {
      return `${parentId}.${sessionIdPart(draft.chain.name, CHAIN_MAX)}`;
    }
    const trunk = this.#trunkOf(draft);
    if (draft.fork && trunk !== undefined)
      return `${sessionIdPart(trunk, OWN_ID_MAX)}.${sessionIdPart(draft.fork.name, CHAIN_MAX)}`;
    if (draft.ownId !== undefined) return sessionIdPart(draft.ownId, OWN_ID_MAX);
    const name = draft.ordinal === undefined ? this.#stem : `${this.#stem}-${draft.ordinal}`;
    const digest = this.#digest?.(canonicalJson(opening(first)));
    return digest === undefined ? name : `${name}-${digest.slice(0, DIGITS)}`;
  }
}

// Together, with a separator and the suffix of a second session of that id, under the 128 of a session id.
const OWN_ID_MAX = 80;
const CHAIN_MAX = 40;
const STEM_MAX = 60;
/** Digits of a digest in an id. */
const DIGITS = 8;

/** A branch has the messages of the session that it leaves, under their ids. */
const freeIn = (session: Opened, wanted: string): string => {
  let id = session.messageIds.take(wanted);
  while (isTaken(session.source, id)) id = session.messageIds.take(wanted);
  return id;
};
const isTaken = (opened: Opened | undefined, id: string): boolean =>
  opened !== undefined && (opened.messageIds.has(id) || isTaken(opened.source, id));

/** A message that is not there cannot stay: then nothing does. */
const retainedIn = (opened: Opened, retained: Retained): Retained => {
  if (retained.kind !== 'from') return retained;
  const messageId = messageIdFrom(retained.messageId);
  return isTaken(opened, messageId) ? { kind: 'from', messageId } : { kind: 'none' };
};

/** Returns the part of a session that never changes when it grows: the blocks up to the first user message. */
const opening = (first: readonly DraftMessage[]) => {
  const asked = first.findIndex((message) => message.role === 'user');
  return (asked < 0 ? first : first.slice(0, asked + 1)).map((message) => message.blocks);
};
