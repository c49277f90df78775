import type { MessageId, Revision } from '@app/kernel';
import type { EventLog } from '@app/ports';
import { type SessionRef, streamOf } from '../../sessions/session-ref.js';

/** Where a session stood right behind a message; `undefined` where it has no such message. */
export const revisionBehind = async (
  log: EventLog,
  ref: SessionRef,
  message: MessageId,
): Promise<Revision | undefined> => {
  for await (const { event, revision } of log.readBackwards(streamOf(ref))) {
    if (event.type === 'MessageAppended' && event.data.message.id === message) return revision;
  }
  return undefined;
};
