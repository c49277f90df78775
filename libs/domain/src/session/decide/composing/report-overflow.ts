import { AppError } from '@app/kernel';
import { usableBudget } from '../../../budget/limits.js';
import { occupancy } from '../../../budget/occupancy.js';
import type { ReportOverflowCommand } from '../../commands.js';
import type { SessionEvent } from '../../events.js';
import type { OpenSession } from '../../state.js';
import { automatic, isSpent } from '../compacting/check-budget.js';
import { fixedPartsOf } from './plan-request.js';

/**
 * A provider refused the request as too large, whatever was counted here. One overflow asks for one compaction at most,
 * which one that is asked for or under way serves as well; where there can be none, the next request goes down the
 * ladder. Where the request has gone out again, and nothing has come since, the next overflow is the end of it. With
 * automatic compaction off the first is the caller's.
 *
 * @throws {AppError} `context-overflow` where nothing is done by itself.
 */
export const reportOverflow = (
  { data: { compactionId, now } }: ReportOverflowCommand,
  session: OpenSession,
): readonly SessionEvent[] => {
  if (session.profile.mode !== 'automatic') throw notAutomatic(session.profile);
  const { turn, messages, compaction, overflow } = session;
  if (overflow?.messages === messages) return compaction || !overflow.isRetried ? [] : usedUp(session);
  const reported: SessionEvent = { type: 'OverflowReported', data: { turn, tokens: occupancy(session) } };
  // What an automatic compaction has just left would only be compacted to lose more of it.
  if (isSpent(session)) return [reported];
  return [reported, ...automatic(compactionId, session, 'overflow', now)];
};

const usedUp = (session: OpenSession): readonly SessionEvent[] => {
  if (session.lastAnswer?.type === 'ContextOverflow') return [];
  const { turn, request, limits, profile } = session;
  return [
    {
      type: 'ContextOverflow',
      data: {
        turn,
        because: 'overflowed-again',
        rung: request.rung ?? 'none',
        tokens: occupancy(session),
        budget: usableBudget(limits, profile) ?? null,
        parts: fixedPartsOf(session),
      },
    },
  ];
};

const notAutomatic = ({ mode }: OpenSession['profile']): AppError =>
  new AppError(
    'context-overflow',
    mode === 'off'
      ? "the request does not fit the model's window, and compaction is switched off for its session: " +
          'reset it, switch to a larger model, or set its mode to automatic or authorized'
      : "the request does not fit the model's window, and its session compacts only on your word: " +
          'compact or reset it, or switch to a larger model',
  );
