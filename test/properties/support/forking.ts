import { decide, initialState, type OpenSession, type Placed, type SessionState } from '@app/domain';
import { CompactionId, Revision, SessionId } from '@app/kernel';

/** Returns the stream of a fork of a session. */
export const forkOf = (source: OpenSession): readonly Placed[] => {
  const from = { sessionId: source.opened.sessionId, revision: Revision(0) };
  const data = { sessionId: SessionId('fork'), compactionId: CompactionId('f1'), from, source };
  const events = decide({ type: 'ForkSession', data }, initialState);
  return events.map((event, at) => ({ event, revision: Revision(at) }));
};

export const opened = (state: SessionState): OpenSession => {
  if (state.status !== 'open') throw new Error('a fork is open');
  return state;
};
