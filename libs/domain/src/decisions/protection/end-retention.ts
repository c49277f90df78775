import type { SessionEvent } from '../../session/events.js';
import { erasureBarrier, keptThrough } from '../../session/protection.js';
import type { OpenSession } from '../../session/state.js';
import type { EndRetentionCommand, ExtendRetentionCommand } from '../commands.js';

/** Moves the date of a period that counts from the newest event; nothing if the date is not later by that. */
export const extendRetention = (
  { data: { newestAt, by, now } }: ExtendRetentionCommand,
  { protection: { period } }: OpenSession,
): readonly SessionEvent[] => {
  if (!period) return [];
  const moved = keptThrough(period, newestAt);
  if (moved === period) return [];
  return [
    {
      type: 'RetentionPeriodSet',
      data: { ...moved, previousUntil: period.until, source: 'activity', by, at: now },
    },
  ];
};

/** Records the end of a period whose date has come; nothing before, without a period, and while a hold lasts. */
export const endRetention = (
  { data: { now } }: EndRetentionCommand,
  { protection }: OpenSession,
): readonly SessionEvent[] => {
  if (!protection.period || erasureBarrier(protection, now)) return [];
  return [{ type: 'RetentionPeriodEnded', data: { until: protection.period.until, at: now } }];
};
