import type { NoPlan, Plan } from '../../compaction/plan.js';
import { prepare } from '../../compaction/prepare/prepare.js';
import type { Profile } from '../../profiles/profile.js';
import type { Entry } from '../../session/entry.js';
import type { CallReference, EventData, EventOf } from '../../session/events.js';
import type { OpenSession } from '../../session/state.js';
import { openCalls } from '../../turns/cuts.js';
import { stateAfter } from '../state-after.js';

/** Returns the event that abandons open calls whose message satisfies `isOver`; `undefined` without such calls. */
export const abandonmentOf = (
  session: OpenSession,
  reason: EventData<'ToolCallAbandoned'>['reason'],
  isOver: (caller: Entry) => boolean,
): EventOf<'ToolCallAbandoned'> | undefined => {
  const calls = openCalls(session).flatMap(({ id: callId, call }): CallReference[] => {
    const caller = session.entries[call.message];
    return caller && isOver(caller) ? [{ messageId: caller.message.id, callId }] : [];
  });
  return calls.length > 0 ? { type: 'ToolCallAbandoned', data: { calls, reason } } : undefined;
};

/**
 * Returns the abandonment of calls followed by a newer assistant message. No provider accepts a request with a
 * missing result, so that the client has closed them in its own way. Open, they would block the compaction of
 * everything after them.
 */
const passedOver = (session: OpenSession): EventOf<'ToolCallAbandoned'> | undefined => {
  const newest = session.entries.findLast((entry) => entry.message.role === 'assistant');
  return abandonmentOf(
    session,
    'model-continued',
    (caller) => newest !== undefined && caller.position < newest.position,
  );
};

/** Returns the plan of a compaction requested now, with passed over calls abandoned first. */
export const planNow = (
  session: OpenSession,
  profile: Profile,
): { readonly plan: Plan | NoPlan; readonly givenUp: readonly EventOf<'ToolCallAbandoned'>[] } => {
  const abandoned = passedOver(session);
  return {
    plan: prepare(abandoned ? stateAfter(session, abandoned) : session, profile),
    givenUp: abandoned ? [abandoned] : [],
  };
};
