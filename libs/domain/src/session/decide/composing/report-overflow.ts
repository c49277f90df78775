import { AppError } from '@app/kernel';
import type { ReportOverflowCommand } from '../../commands.js';
import type { SessionEvent } from '../../events.js';
import type { OpenSession } from '../../state.js';
import { automatic, isSpent } from '../compacting/check-budget.js';
import { isBroken } from '../compacting/circuit.js';

/**
 * A provider refused the request as too large, whatever was counted here. One overflow asks for one compaction at most,
 * which one that is asked for or under way serves as well; with automatic compaction off it is the caller's.
 *
 * @throws {AppError} `context-overflow` where no compaction will make room.
 */
export const reportOverflow = (
  { data: { compactionId } }: ReportOverflowCommand,
  session: OpenSession,
): readonly SessionEvent[] => {
  if (session.profile.mode !== 'automatic') throw overflow('its profile compacts only on your word');
  if (session.compaction) return [];
  if (isSpent(session)) throw overflow('nothing has come since it was compacted for this');
  if (session.restingInTurn === session.turn)
    throw overflow('automatic compactions rest until the next turn');
  if (isBroken(session)) throw overflow('compactions have failed too often: the circuit is open');
  const events = automatic(compactionId, session, 'overflow');
  if (events.some(({ type }) => type !== 'ToolCallAbandoned')) return events;
  throw overflow('there is nothing to drop');
};

const overflow = (why: string): AppError =>
  new AppError(
    'context-overflow',
    `the request does not fit the model's window, and is not compacted for that: ${why}; ` +
      'compact or reset the session, or switch to a larger model',
  );
