import { AppError } from '@app/kernel';
import type { SessionEvent } from '../../session/events.js';
import type { Decide } from '../commands.js';
import { stateAfter } from '../state-after.js';
import { requestDeferred } from './request-deferred.js';

/**
 * Defers automatic compactions. A later deferral replaces an earlier one.
 *
 * @throws {AppError} `invalid-settings` without a reason.
 */
export const deferCompactions: Decide<'DeferCompactions'> = (
  { data: { until, by, reason } },
  { hold, turn },
) => {
  if (reason.trim() === '') {
    throw new AppError(
      'invalid-settings',
      'to defer compactions there has to be a reason: it is recorded with it',
    );
  }
  if (hold && hold.until === until && hold.by === by && hold.reason === reason) return [];
  return [{ type: 'CompactionsHeld', data: { until, by, reason, turn } }];
};

/**
 * Releases automatic compactions. One deferred by the hold is requested at once; one deferred to the end of the turn
 * stays deferred.
 */
export const releaseCompactions: Decide<'ReleaseCompactions'> = ({ data: { by, reason } }, session) => {
  if (!session.hold) return [];
  const released: SessionEvent = { type: 'CompactionsReleased', data: { by, reason } };
  if (session.deferred?.trigger === 'requested-mid-turn') return [released];
  return [released, ...requestDeferred(stateAfter(session, released))];
};
