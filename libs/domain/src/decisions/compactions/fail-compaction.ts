import type { SessionEvent } from '../../session/events.js';
import type { OpenSession } from '../../session/state.js';
import type { FailCompactionCommand } from '../commands.js';
import { failedFor } from './circuit.js';

/** Fails a compaction that may not begin, with the attempt of a dead worker if there is one. No-op for an ended one. */
export const failCompaction = (
  { data: { compactionId, error, now } }: FailCompactionCommand,
  session: OpenSession,
): readonly SessionEvent[] => {
  const { compaction } = session;
  if (compaction?.compactionId !== compactionId) return [];
  const { attempt, running } = compaction;
  const lost: readonly SessionEvent[] = running
    ? [{ type: 'CompactionAttemptFailed', data: { compactionId, attempt, error } }]
    : [];
  const failed = { compactionId, attempts: attempt, error };
  return [...lost, ...failedFor(session, { type: 'CompactionFailed', data: failed }, now)];
};
