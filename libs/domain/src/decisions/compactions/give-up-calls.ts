import type { NoPlan, Plan } from '../../compaction/plan.js';
import { prepare } from '../../compaction/prepare/prepare.js';
import type { Profile } from '../../profiles/profile.js';
import type { Entry } from '../../session/entry.js';
import type { CallReference, ToolCallAbandoned } from '../../session/events.js';
import type { OpenSession } from '../../session/state.js';
import { openCalls } from '../../turns/cuts.js';
import { stateAfter } from '../state-after.js';

/** Open calls whose caller satisfies `isOver`, as the event that gives them up; `undefined` where there are none. */
export const abandonmentOf = (
  session: OpenSession,
  reason: ToolCallAbandoned['data']['reason'],
  isOver: (caller: Entry) => boolean,
): ToolCallAbandoned | undefined => {
  const calls = openCalls(session).flatMap(({ id: callId, call }): CallReference[] => {
    const caller = session.entries[call.message];
    return caller && isOver(caller) ? [{ messageId: caller.message.id, callId }] : [];
  });
  return calls.length > 0 ? { type: 'ToolCallAbandoned', data: { calls, reason } } : undefined;
};

/**
 * Calls that the model has answered past: no provider takes a request in which a result is missing, so whoever made
 * that request has closed them in a way of its own. Open, they would keep everything since from being compacted.
 */
const passedOver = (session: OpenSession): ToolCallAbandoned | undefined => {
  const newest = session.entries.findLast((entry) => entry.message.role === 'assistant');
  return abandonmentOf(
    session,
    'model-continued',
    (caller) => newest !== undefined && caller.position < newest.position,
  );
};

/** What a compaction would do if it were requested now, calls that the model has answered past being given up first. */
export const planNow = (
  session: OpenSession,
  profile: Profile,
): { readonly plan: Plan | NoPlan; readonly givenUp: readonly ToolCallAbandoned[] } => {
  const abandoned = passedOver(session);
  return {
    plan: prepare(abandoned ? stateAfter(session, abandoned) : session, profile),
    givenUp: abandoned ? [abandoned] : [],
  };
};
