import { AppError } from '@app/kernel';
import { requireValidProfile } from '../../profiles/fields/require-valid-profile.js';
import { profileFor } from '../../profiles/for-model.js';
import { isAskedFor } from '../../session/events.js';
import { isInTurn, type OpenSession } from '../../session/state.js';
import type { Decide } from '../commands.js';
import { deferToTurnEnd } from '../deferrals/deferral.js';
import { requestIdle } from '../deferrals/request-deferred.js';
import { requested } from '../requested.js';
import { explicitTrialOf } from './circuit.js';
import { planNow } from './give-up-calls.js';

/**
 * Requests a compaction. A requested or running one serves this request too, and so does a deferred one: it runs
 * under its id as soon as one of the requests may run.
 *
 * @throws {AppError} `compaction-disabled` if the policy disables compactions; `turn-in-progress` if the policy
 *   refuses manual compactions during a turn.
 */
export const requestCompaction: Decide<'RequestCompaction'> = ({ data }, session) => {
  const { compactionId, trigger, profile, instructions } = data;
  const { deferred } = session;
  if (session.compaction || session.ended?.compactionId === compactionId) return [];
  if (session.profile.mode === 'off') throw switchedOff(session);
  if (trigger === 'idle') return requestIdle(data, session);
  const policy = (profile && profileFor(profile, session.model)) ?? deferred?.profile ?? session.profile;
  requireValidProfile(policy);
  if (isInTurn(session)) {
    if (trigger === 'requested-mid-turn') return deferToTurnEnd(data, session, policy);
    if (trigger === 'explicit' && session.profile.explicitMidTurn === 'refuse') throw turnInProgress(session);
  }
  const lifted = isAskedFor(trigger) ? explicitTrialOf(session) : [];
  const { plan, givenUp } = planNow(session, policy);
  const wanted = {
    compactionId,
    trigger,
    profile: policy,
    instructions: instructions ?? deferred?.instructions,
  };
  if (plan.kind === 'plan') {
    const id = deferred?.compactionId ?? compactionId;
    return [...lifted, ...givenUp, requested(session, { ...wanted, compactionId: id }, plan)];
  }
  // A deferred compaction stays deferred: there may be something to drop by then.
  return [
    ...givenUp,
    requested(session, wanted, plan),
    { type: 'CompactionSkipped', data: { compactionId, trigger, reason: plan.reason } },
  ];
};

const switchedOff = ({ opened }: OpenSession): AppError =>
  new AppError(
    'compaction-disabled',
    `compaction is switched off for session "${opened.sessionId}": set its mode to automatic or authorized, or reset it`,
  );

const turnInProgress = ({ opened, turn }: OpenSession): AppError =>
  new AppError(
    'turn-in-progress',
    `turn ${turn} of session "${opened.sessionId}" is going on, and its profile compacts in no turn: ` +
      '`--after-turn` asks for a compaction that runs when it has ended',
  );
