import type { SessionEvent } from '../../session/events.js';
import type { Decide } from '../commands.js';
import { failedFor } from './circuit.js';

/** Fails a compaction that may not begin, with the attempt of a dead worker if there is one. No-op for an ended one. */
export const failCompaction: Decide<'FailCompaction'> = ({ data: { compactionId, error, now } }, session) => {
  const { compaction } = session;
  if (compaction?.compactionId !== compactionId) return [];
  const { attempt, running } = compaction;
  const lost: readonly SessionEvent[] = running
    ? [{ type: 'CompactionAttemptFailed', data: { compactionId, attempt, error } }]
    : [];
  const failed = { compactionId, attempts: attempt, error };
  return [...lost, ...failedFor(session, { type: 'CompactionFailed', data: failed }, now)];
};

/** Records a failed attempt, and the failure of the compaction after the last one. */
export const failAttempt: Decide<'FailAttempt'> = ({ data }, session) => {
  const { compaction } = session;
  const isRunning = compaction?.compactionId === data.compactionId && compaction.attempt === data.attempt;
  if (!isRunning || !compaction.running) return [];
  const { compactionId, attempt, error, usage, cost, retryAt, giveUp = false } = data;
  const isLast = giveUp || attempt >= compaction.profile.maxAttempts;
  const failed: SessionEvent = {
    type: 'CompactionAttemptFailed',
    data: {
      compactionId,
      attempt,
      error,
      ...(retryAt && !isLast && { retryAt }),
      ...(usage && { usage }),
      ...(cost && { cost }),
    },
  };
  if (!isLast) return [failed];
  return [
    failed,
    ...failedFor(
      session,
      { type: 'CompactionFailed', data: { compactionId, attempts: attempt, error } },
      data.now,
    ),
  ];
};
