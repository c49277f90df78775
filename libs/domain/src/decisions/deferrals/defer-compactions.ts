import { AppError } from '@app/kernel';
import type { SessionEvent } from '../../session/events.js';
import type { OpenSession } from '../../session/state.js';
import type { DeferCompactionsCommand } from '../commands.js';

/**
 * Defers automatic compactions. A later deferral replaces an earlier one.
 *
 * @throws {AppError} `invalid-settings` without a reason.
 */
export const deferCompactions = (
  { data: { until, by, reason } }: DeferCompactionsCommand,
  { hold, turn }: OpenSession,
): readonly SessionEvent[] => {
  if (reason.trim() === '') {
    throw new AppError(
      'invalid-settings',
      'to defer compactions there has to be a reason: it is recorded with it',
    );
  }
  if (hold && hold.until === until && hold.by === by && hold.reason === reason) return [];
  return [{ type: 'CompactionsHeld', data: { until, by, reason, turn } }];
};
