import type { Payloads } from './payloads.js';

/** Retention periods and legal holds; their reasons are given for auditors. */
export const protectionPayloads: Payloads<
  | 'RetentionPeriodSet'
  | 'RetentionPeriodRemoved'
  | 'RetentionPeriodEnded'
  | 'LegalHoldPlaced'
  | 'LegalHoldReleased'
> = {
  RetentionPeriodSet: ({ mode, until, days, previousUntil, source, reason, by, at }) => ({
    ...{ mode, until, days, previousUntil, source, reason, by, at },
  }),
  RetentionPeriodRemoved: ({ previousUntil, reason, by, at }) => ({ previousUntil, reason, by, at }),
  RetentionPeriodEnded: ({ until, at }) => ({ until, at }),
  LegalHoldPlaced: ({ matter, reason, by, at }) => ({ matter, reason, by, at }),
  LegalHoldReleased: ({ matter, reason, by, at }) => ({ matter, reason, by, at }),
};
