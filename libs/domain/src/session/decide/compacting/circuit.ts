import type { CompactionCircuitClosed, CompactionFailed, SessionEvent } from '../../events.js';
import type { OpenSession } from '../../state.js';

/** A compaction that has failed for good; one too many in a row stops automatic ones. */
export const failedFor = (session: OpenSession, failed: CompactionFailed): readonly SessionEvent[] => {
  const failures = session.failures + 1;
  if (session.circuitOpenedAt !== undefined || failures < session.profile.breakerAfter) return [failed];
  return [failed, { type: 'CompactionCircuitOpened', data: { failures, messages: session.messages } }];
};

/** Whether automatic compactions are stopped, and nothing has come that one could make better. */
export const isBroken = ({ circuitOpenedAt, messages }: OpenSession): boolean =>
  circuitOpenedAt !== undefined && messages <= circuitOpenedAt;

/** Lets automatic compactions run again, where they were stopped. */
export const closed = (
  { circuitOpenedAt, messages }: OpenSession,
  because: CompactionCircuitClosed['data']['because'],
): readonly SessionEvent[] =>
  circuitOpenedAt === undefined ? [] : [{ type: 'CompactionCircuitClosed', data: { because, messages } }];
