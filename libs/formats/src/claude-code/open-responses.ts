import type { Draft, DraftMessage, DraftSession } from '../drafts/draft.js';
import { OpenResponse } from './open-response.js';

/** Maximum number of chains with an open response; beyond it, the one idle longest is closed. */
const OPEN_MAX = 32;

/** The open responses, one per chain. Opens a chain's session at its first message. */
export class OpenResponses {
  readonly #sessionKeys = new Set<string>();
  /** In order of last use. */
  readonly #byKey = new Map<string, OpenResponse>();

  /** Adds a message of `turn` to the chain of `session`; yields completed messages. */
  *take(
    session: DraftSession,
    turn: (open: OpenResponse) => readonly DraftMessage[],
  ): Generator<Draft, void, undefined> {
    yield* this.#openSession(session);
    const open = this.#byKey.get(session.key) ?? new OpenResponse();
    this.#byKey.delete(session.key);
    this.#byKey.set(session.key, open);
    yield* drafts(session.key, turn(open));
    yield* this.#closeIdle(OPEN_MAX);
  }

  /** Returns whether a chain has messages. */
  isOpen(key: string): boolean {
    return this.#sessionKeys.has(key);
  }

  /** Ends a chain and yields its open messages. */
  *end(session: DraftSession): Generator<Draft, void, undefined> {
    yield* this.#openSession(session);
    const open = this.#byKey.get(session.key);
    this.#byKey.delete(session.key);
    if (open) yield* drafts(session.key, open.close());
  }

  *#openSession(session: DraftSession): Generator<Draft, void, undefined> {
    if (this.#sessionKeys.has(session.key)) return;
    this.#sessionKeys.add(session.key);
    // A branch begins at a complete message: the source is completed first.
    const left = session.fork && this.#byKey.get(session.fork.fromKey);
    if (session.fork && left) yield* drafts(session.fork.fromKey, left.close());
    yield { kind: 'session', session };
  }

  close(): Generator<Draft, void, undefined> {
    return this.#closeIdle(0);
  }

  *#closeIdle(openMax: number): Generator<Draft, void, undefined> {
    for (const [key, open] of this.#byKey) {
      if (this.#byKey.size <= openMax) return;
      this.#byKey.delete(key);
      yield* drafts(key, open.close());
    }
  }
}

function* drafts(key: string, messages: readonly DraftMessage[]): Generator<Draft, void, undefined> {
  for (const message of messages) yield { kind: 'message', key, message };
}
