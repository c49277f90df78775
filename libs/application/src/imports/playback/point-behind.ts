import type { SessionEvent } from '@app/domain';
import type { TranscriptSession } from '@app/formats';
import type { Revision } from '@app/kernel';
import type { EventLog } from '@app/ports';
import { type SessionRef, streamOf } from '../../sessions/session-ref.js';
import { compactionIdOf } from './record-compaction.js';

type Behind = NonNullable<TranscriptSession['forkOf']>['behind'];

/** A session as of a revision. */
export type Point = { readonly ref: SessionRef; readonly at: Revision };

/**
 * Returns the revision right after a message or compaction of a transcript; `undefined` if the session has none. For a branch,
 * copied messages are searched in the source session.
 */
export const pointBehind = async (
  log: EventLog,
  ref: SessionRef,
  { kind, id }: Behind,
  from?: Revision,
): Promise<Point | undefined> => {
  const compactionId = compactionIdOf(ref, { id });
  const isIt = ({ type, data }: SessionEvent): boolean =>
    kind === 'message'
      ? type === 'MessageAppended' && data.message.id === id
      : type === 'CompactionApplied' && data.compactionId === compactionId;
  for await (const { event, revision } of log.readBackwards(
    streamOf(ref),
    from === undefined ? {} : { from },
  )) {
    if (isIt(event)) return { ref, at: revision };
    if (event.type !== 'SessionForked') continue;
    const source = event.data.from;
    return pointBehind(log, { ...ref, session: source.sessionId }, { kind, id }, source.revision);
  }
  return undefined;
};
