import { canonicalJson, invariant } from '@app/kernel';
import type { TranscriptItem, TranscriptSession } from '../transcript.js';
import type { DraftMessage, DraftSession } from './draft.js';
import { digestOf, messageIdFrom, sessionIdPart, stemOf, UniqueIds } from './ids.js';

/** The sessions of one file: their ids, and those of their messages. */
export class OpenSessions {
  readonly #stem: string;
  readonly #sessionIds = new UniqueIds();
  readonly #byKey = new Map<string, { id: string; messageIds: UniqueIds; messageCount: number }>();

  constructor(sourceName: string) {
    this.#stem = sessionIdPart(stemOf(sourceName), STEM_MAX);
  }

  /** `first` are the session's first messages, as many as are known. */
  open(draft: DraftSession, first: readonly DraftMessage[]): TranscriptSession {
    const parentId = this.#parentIdOf(draft);
    const id = this.#sessionIds.take(this.#idOf(draft, parentId, first));
    this.#byKey.set(draft.key, { id, messageIds: new UniqueIds(), messageCount: 0 });

    const model = draft.model ?? first.find((message) => message.model !== undefined)?.model;
    return {
      id,
      ...(parentId !== undefined && { parentId }),
      ...(model !== undefined && { model }),
      ...(draft.system !== undefined && { system: draft.system }),
      ...(draft.tools !== undefined && { tools: draft.tools }),
    };
  }

  message(key: string, { id, ...message }: DraftMessage): TranscriptItem {
    const session = this.#byKey.get(key);
    invariant(session, 'a reader yielded a message of a session that it has not opened');
    session.messageCount += 1;
    const wanted = id === undefined || id === '' ? `message-${session.messageCount}` : messageIdFrom(id);
    return {
      kind: 'message',
      sessionId: session.id,
      message: { id: session.messageIds.take(wanted), ...message },
    };
  }

  #parentIdOf({ chain, ownId }: DraftSession): string | undefined {
    if (chain === undefined) return undefined;
    return this.#byKey.get(chain.parentKey)?.id ?? (ownId && sessionIdPart(ownId, OWN_ID_MAX));
  }

  #idOf(draft: DraftSession, parentId: string | undefined, first: readonly DraftMessage[]): string {
    if (draft.chain !== undefined && parentId !== undefined) {
      return `${parentId}.${sessionIdPart(draft.chain.name, CHAIN_MAX)}`;
    }
    if (draft.ownId !== undefined) return sessionIdPart(draft.ownId, OWN_ID_MAX);
    const name = draft.ordinal === undefined ? this.#stem : `${this.#stem}-${draft.ordinal}`;
    return `${name}-${digestOf(canonicalJson(opening(first)), 8)}`;
  }
}

// Together, with a separator and the suffix of a second session of that id, under the 128 of a session id.
const OWN_ID_MAX = 80;
const CHAIN_MAX = 40;
const STEM_MAX = 60;

/** What stays the same when the session goes on: the blocks up to the first message of the user's. */
const opening = (first: readonly DraftMessage[]) => {
  const asked = first.findIndex((message) => message.role === 'user');
  return (asked < 0 ? first : first.slice(0, asked + 1)).map((message) => message.blocks);
};
