import { AppError } from '@app/kernel';
import { occupancy } from '../../occupancy/occupancy.js';
import type { SessionEvent } from '../../session/events.js';
import type { OpenSession } from '../../session/state.js';
import type { Decide } from '../commands.js';
import { automatic, isSpent } from '../compactions/check-budget.js';
import { stateAfterEvents } from '../run-stages.js';
import { contextOverflowOf } from './compose-request.js';
import { planRequest } from './plan-request.js';
import { remediesFor, remedyTexts } from './remedies.js';

/**
 * Records that a provider rejected the request as too large, and reacts: one overflow requests at most one
 * compaction, and a requested or running one serves as well. If none is possible, the next request goes down the
 * ladder. Each further overflow of the same messages goes one rung deeper, until the ladder is exhausted. With
 * automatic compaction disabled the first overflow is an error.
 *
 * @throws {AppError} `context-overflow` without an automatic reaction.
 */
export const reportOverflow: Decide<'ReportOverflow'> = (
  { data: { compactionId, now, canSummarize = true } },
  session,
) => {
  const { turn, messages, compaction, overflow, request } = session;
  const tokens =
    request.rung === undefined ? occupancy(session) : (request.billedTokens ?? occupancy(session));
  const { rung } = request;
  const reported: SessionEvent = { type: 'OverflowReported', data: { turn, tokens, ...(rung && { rung }) } };
  if (session.profile.mode !== 'automatic') throw notAutomatic(session, reported, canSummarize);
  const isSame = overflow?.messages === messages;
  if (isSame && (compaction || !overflow.isRetried)) return [];
  // A result of an automatic compaction is not compacted again at once, which would only lose more.
  const asked = isSame || isSpent(session) ? [] : automatic(compactionId, session, 'overflow', now);
  const events = [reported, ...asked];
  const after = stateAfterEvents(session, events);
  if (after.compaction) return events;
  const plan = planRequest(after);
  return plan.kind === 'overflow' ? [...events, contextOverflowOf(after, plan, canSummarize)] : events;
};

const notAutomatic = (session: OpenSession, reported: SessionEvent, canSummarize: boolean): AppError => {
  const remedies = remediesFor(stateAfterEvents(session, [reported]), { canSummarize });
  const policy =
    session.profile.mode === 'off'
      ? 'compaction is switched off for its session'
      : 'its session compacts only on your word';
  return new AppError(
    'context-overflow',
    `the request does not fit the model's window, and ${policy}: ${remedyTexts(remedies)}`,
  );
};
