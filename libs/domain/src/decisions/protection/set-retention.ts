import { AppError, type IsoTime } from '@app/kernel';
import type { SessionEvent } from '../../session/events.js';
import { daysAfter, RETENTION_DAYS_MAX, type RetentionPeriod } from '../../session/protection.js';
import type { OpenSession } from '../../session/state.js';
import type { RemoveRetentionCommand, SetRetentionCommand } from '../commands.js';

/**
 * Sets or changes the period in which a session is kept. A period that has ended is no longer binding. One that counts from the
 * newest event goes on to, unless it is shortened.
 *
 * @throws {AppError} `retention-locked` if it shortens or weakens a period in the mode `compliance`, or one in the mode
 *   `governance` without permission or reason; `invalid-settings` for a date that is past, or a hundred years ahead.
 */
export const setRetention = (
  { data: { mode, until, reason, mayShorten, by, now } }: SetRetentionCommand,
  { protection }: OpenSession,
): readonly SessionEvent[] => {
  if (until <= now)
    throw new AppError('invalid-settings', `a retention period ends in the future: it is ${now} now`);
  const latest = daysAfter(now, RETENTION_DAYS_MAX);
  if (until > latest)
    throw new AppError('invalid-settings', `a retention period ends by ${latest}, a hundred years from now`);
  const before = inForce(protection.period, now);
  if (before && before.mode === mode && before.until === until) return [];
  const isShorter = before !== undefined && (until < before.until || isWeaker(mode, before.mode));
  if (isShorter) requireShortenable(before, mayShorten, reason);
  const data = {
    ...({ mode, until, source: 'caller', by, at: now } as const),
    // A later date alone does not end the promise to keep the session for days after its newest event.
    ...(!isShorter && before?.days !== undefined && { days: before.days }),
    ...(before && { previousUntil: before.until }),
    ...(reason !== undefined && { reason }),
  };
  return [{ type: 'RetentionPeriodSet', data }];
};

/**
 * Removes the period in which a session is kept; nothing without one in force.
 *
 * @throws {AppError} `retention-locked`, as for shortening it.
 */
export const removeRetention = (
  { data: { reason, mayShorten, by, now } }: RemoveRetentionCommand,
  { protection }: OpenSession,
): readonly SessionEvent[] => {
  const before = inForce(protection.period, now);
  if (!before) return [];
  requireShortenable(before, mayShorten, reason);
  return [{ type: 'RetentionPeriodRemoved', data: { previousUntil: before.until, reason, by, at: now } }];
};

const inForce = (period: RetentionPeriod | undefined, now: IsoTime): RetentionPeriod | undefined =>
  period && period.until > now ? period : undefined;

const isWeaker = (mode: RetentionPeriod['mode'], before: RetentionPeriod['mode']): boolean =>
  before === 'compliance' && mode === 'governance';

const requireShortenable = (
  { mode, until }: RetentionPeriod,
  mayShorten: boolean,
  reason: string | undefined,
): void => {
  const kept = `the session is kept until ${until} in the mode ${mode}`;
  if (mode === 'compliance')
    throw new AppError('retention-locked', `${kept}: the period can be lengthened, and nothing else`);
  if (!mayShorten)
    throw new AppError('retention-locked', `${kept}: to shorten it takes the permission retention:shorten`);
  if (reason === undefined || reason.trim() === '')
    throw new AppError('retention-locked', `${kept}: to shorten it takes a reason, which is recorded`);
};
