import type { SessionEvent } from '../../session/events.js';
import type { OpenSession } from '../../session/state.js';
import type { FailAttemptCommand } from '../commands.js';
import { failedFor } from './circuit.js';

/** Records a failed attempt, and the failure of the compaction after the last one. */
export const failAttempt = ({ data }: FailAttemptCommand, session: OpenSession): readonly SessionEvent[] => {
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
