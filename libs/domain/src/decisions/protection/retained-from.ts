import { Actor, type IsoTime } from '@app/kernel';
import type { SessionEvent } from '../../session/events.js';
import { daysAfter, type RetentionDefault } from '../../session/protection.js';

const BY_DEFAULT = Actor('system');

/** Returns the retention period of a new session; nothing without a default of its tenant, or without a clock. */
export const retainedFrom = (
  openedAt: IsoTime | undefined,
  retention: RetentionDefault | undefined,
): readonly SessionEvent[] => {
  if (!openedAt || !retention) return [];
  const until = daysAfter(openedAt, retention.days);
  const data = { ...retention, until, source: 'tenant-default', by: BY_DEFAULT, at: openedAt } as const;
  return [{ type: 'RetentionPeriodSet', data }];
};
