import type { TranscriptItem } from '../transcript.js';
import type { Draft, DraftSession } from './draft.js';
import { OpenSessions, type SessionNaming } from './open-sessions.js';

/** Maximum of buffered drafts. */
const HELD_MAX = 64;

/**
 * Assigns ids to sessions and messages. A session without id or model is buffered until its first user message, which
 * its id is derived from, and its first answer, which names the model: a handful of messages, with attachments a few
 * dozen, at most {@link HELD_MAX}.
 */
export async function* settle(
  drafts: AsyncIterable<Draft>,
  named: SessionNaming,
): AsyncGenerator<TranscriptItem, void, undefined> {
  const sessions = new OpenSessions(named);
  let held: Draft[] = [];
  for await (const draft of drafts) {
    held.push(draft);
    if (held.length < HELD_MAX && !isSettled(held)) continue;
    yield* itemsOf(held, sessions);
    held = [];
  }
  yield* itemsOf(held, sessions);
}

const isSettled = (held: readonly Draft[]): boolean =>
  held.every((draft) => draft.kind !== 'session' || isKnown(draft.session, held));

const isKnown = ({ key, ownId, model }: DraftSession, held: readonly Draft[]): boolean => {
  const has = (role: string): boolean =>
    held.some((draft) => draft.kind === 'message' && draft.key === key && draft.message.role === role);
  return (ownId !== undefined || has('user')) && (model !== undefined || has('assistant'));
};

function* itemsOf(held: readonly Draft[], sessions: OpenSessions): Generator<TranscriptItem> {
  for (const draft of held) {
    if (draft.kind === 'skipped') yield draft;
    else if (draft.kind === 'message') yield sessions.message(draft.key, draft.message);
    else if (draft.kind === 'pruning') yield sessions.pruning(draft.key, draft.pruning);
    else if (draft.kind === 'title') yield* sessions.title(draft.key, draft.title);
    else if (draft.kind === 'compaction') yield sessions.compaction(draft.key, draft.compaction);
    else
      yield { kind: 'session', session: sessions.open(draft.session, messagesOf(draft.session.key, held)) };
  }
}

const messagesOf = (key: string, held: readonly Draft[]) =>
  held.flatMap((draft) => (draft.kind === 'message' && draft.key === key ? [draft.message] : []));
