import type { SessionEvent } from '@app/domain';
import type { TranscriptSession } from '@app/formats';
import type { Revision } from '@app/kernel';
import type { EventLog } from '@app/ports';
import { type SessionRef, streamOf } from '../../sessions/session-ref.js';
import { compactionIdOf } from './record-compaction.js';

type Behind = NonNullable<TranscriptSession['forkOf']>['behind'];

/** Where a session stood right behind a message or a compaction of its transcript; `undefined` where it has none such. */
export const revisionBehind = async (
  log: EventLog,
  ref: SessionRef,
  { kind, id }: Behind,
): Promise<Revision | undefined> => {
  const compactionId = compactionIdOf(ref, { id });
  const isIt = ({ type, data }: SessionEvent): boolean =>
    kind === 'message'
      ? type === 'MessageAppended' && data.message.id === id
      : type === 'CompactionApplied' && data.compactionId === compactionId;
  for await (const { event, revision } of log.readBackwards(streamOf(ref))) if (isIt(event)) return revision;
  return undefined;
};
