import { RETENTION_DAYS_MAX, RETENTION_MODES } from '@app/domain';
import { z } from 'zod';
import { id, time } from './values.js';

const byAt = { by: id, at: time };
const mode = z.enum(RETENTION_MODES);
const days = z.int().min(1).max(RETENTION_DAYS_MAX);
const legalHold = z.object({ matter: id, reason: z.string(), ...byAt });

/** Retention of new sessions. */
export const retentionDefault = z.object({ mode, days });

/** Retention period and legal holds of a session. */
export const protection = z.object({
  period: z.object({ mode, until: time, days: days.optional() }).optional(),
  holds: z.array(legalHold),
});

/** Schemas of events about retention periods and legal holds. */
export const PROTECTION_SCHEMAS = {
  RetentionPeriodSet: z.object({
    mode,
    until: time,
    days: days.optional(),
    previousUntil: time.optional(),
    source: z.enum(['caller', 'tenant-default', 'activity']),
    reason: z.string().optional(),
    ...byAt,
  }),
  RetentionPeriodRemoved: z.object({ previousUntil: time, reason: z.string(), ...byAt }),
  RetentionPeriodEnded: z.object({ until: time, at: time }),
  LegalHoldPlaced: legalHold,
  LegalHoldReleased: legalHold,
};
