import { AppError } from '@app/kernel';
import { estimatedTokens, occupancy } from '../../occupancy/occupancy.js';
import type { OpenSession, Pivot } from '../../session/state.js';
import { carriedBefore } from '../../turns/turns-of.js';
import type { Decide } from '../commands.js';
import { crossingsTo } from '../crossings.js';
import { cancelled } from './cancel-compaction.js';

/**
 * Brings the context back that there would be without the newest compaction or reset: exactly, so that it is only
 * possible until the next turn begins.
 *
 * @throws {AppError} `compaction-not-revertible`, with the way out.
 */
export const revertCompaction: Decide<'RevertCompaction'> = (
  { data: { compactionId, reason, without } },
  session,
) => {
  if (session.reverted === compactionId) return []; // The same command again.
  const pivot = requireRevertible(session, compactionId);
  if (without.status !== 'open') throw notRevertible('its session is unknown');
  const carried = carriedBefore(without);
  const first = without.entries.find((entry) => entry !== carried);
  const restored: OpenSession = { ...without, usage: undefined, measured: [] };
  return [
    ...cancelled(session, 'revert', `${pivot.compactionId} was reverted`),
    {
      type: 'CompactionReverted',
      data: {
        compactionId: pivot.compactionId,
        restored: without.pivot?.compactionId ?? null,
        reason,
        countedBefore: estimatedTokens(session),
        countedAfter: estimatedTokens(restored),
        billedBefore: occupancy(session),
        billedAfter: occupancy(restored),
        messagesBefore: first?.position ?? without.messages,
        carried: carried?.message.id ?? null,
        compactions: without.compactions,
      },
    },
    ...crossingsTo(restored, session.crossed),
  ];
};

const requireRevertible = ({ pivot, turn }: OpenSession, wanted: string): Pivot => {
  if (!pivot) throw notRevertible('the session has none');
  if (pivot.compactionId !== wanted) throw notRevertible(`${pivot.compactionId} is the one in force`);
  if (pivot.kind === 'fork') throw notRevertible('the session began with it');
  if (turn > pivot.turn)
    throw notRevertible(`turn ${turn} has begun since: fork the session from before it instead`);
  return pivot;
};

const notRevertible = (why: string): AppError =>
  new AppError('compaction-not-revertible', `this compaction cannot be reverted: ${why}`);
