import type { SessionEventType } from '@app/domain';
import type { CompactionId } from '@app/kernel';
import { type MemoryLog, openMemoryLog } from '../log/open-memory-log.js';
import { type Application, openApplication } from './open-application.js';
import { openSession, playTurns, recordedEvents, requestCompaction, sessionRef } from './play-session.js';

/** The session `some` with twelve turns and a requested compaction. */
export const requestedCompaction = async (
  memory: MemoryLog = openMemoryLog(),
): Promise<{ readonly application: Application; readonly id: CompactionId }> => {
  const application = openApplication(memory);
  await openSession(application, sessionRef());
  await playTurns(application, sessionRef(), 0, 12);
  const { compactionId } = await requestCompaction(application, sessionRef());
  return { application, id: compactionId };
};

/** Returns the event types since the compaction was requested. */
export const typesAfterRequest = async ({ log }: Application): Promise<SessionEventType[]> => {
  const types = (await recordedEvents(log, sessionRef())).map(({ type }) => type);
  return types.slice(types.indexOf('CompactionRequested') + 1);
};
