import type { SessionId } from '@app/kernel';
import type { EventLog } from '@app/ports';
import { requireOpen } from '../sessions/require-open.js';
import { type SessionRef, streamOf } from '../sessions/session-ref.js';
import type { SessionStore } from '../sessions/session-store.js';

export type SessionTotals = {
  readonly session: SessionId;
  readonly messages: number;
  readonly turns: number;
  readonly tokens: number;
  readonly compactions: number;
};

/** The counts of a whole session, from its log. */
export const totalsOf = async (
  log: EventLog,
  sessions: SessionStore,
  ref: SessionRef,
): Promise<SessionTotals> => {
  let tokens = 0;
  for await (const { event } of log.readForwards(streamOf(ref))) {
    if (event.type === 'MessageAppended') tokens += event.data.tokens;
  }
  const { messages, turn, compactions } = requireOpen(ref, (await sessions.load(ref)).state);
  return { session: ref.session, messages, turns: turn, tokens, compactions };
};
