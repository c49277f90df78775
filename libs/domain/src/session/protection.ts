import { type Actor, IsoTime, type MatterName } from '@app/kernel';

/**
 * `governance` periods can be shortened with the permission `retention:shorten` and a reason; `compliance` periods can
 * only be lengthened, by any caller.
 */
export const RETENTION_MODES = ['governance', 'compliance'] as const;
export type RetentionMode = (typeof RETENTION_MODES)[number];

/** Retention of new sessions after their newest event. */
export type RetentionDefault = {
  readonly mode: RetentionMode;
  readonly days: RetentionDays;
};
/** A hundred years. */
export const RETENTION_DAYS_MAX = 36_525;
/** Whole days, from 1 to {@link RETENTION_DAYS_MAX}. */
type RetentionDays = number;

export type RetentionPeriod = {
  readonly mode: RetentionMode;
  /** Content is kept at least until then. */
  readonly until: IsoTime;
  /** Minimum days of the period after the newest event: see {@link keptThrough}. */
  readonly days?: RetentionDays;
};

export type LegalHold = {
  /** The proceeding that it is for: at most one hold of a session for each. */
  readonly matter: MatterName;
  readonly reason: string;
  readonly by: Actor;
  readonly at: IsoTime;
};

/** The facts that forbid to erase a session. */
export type SessionProtection = {
  readonly period?: RetentionPeriod;
  /** In the order in which they were placed. */
  readonly holds: readonly LegalHold[];
};
export const NO_PROTECTION: SessionProtection = { holds: [] };

/** Returns a period with the date that the newest event gives it: never an earlier one than on record. */
export const keptThrough = (period: RetentionPeriod, newestAt: IsoTime): RetentionPeriod => {
  if (period.days === undefined) return period;
  const until = daysAfter(newestAt, period.days);
  return until > period.until ? { ...period, until } : period;
};

export const isProtected = ({ period, holds }: SessionProtection): boolean =>
  period !== undefined || holds.length > 0;

/** The first fact that forbids an erasure. */
export type ErasureBarrier =
  | { readonly kind: 'hold'; readonly matter: MatterName }
  | { readonly kind: 'retention'; readonly mode: RetentionMode; readonly until: IsoTime };

/** Returns the fact that forbids an erasure at `now`: a hold before a retention period; `undefined` if none does. */
export const erasureBarrier = (
  { period, holds: [hold] }: SessionProtection,
  now: IsoTime,
): ErasureBarrier | undefined => {
  if (hold) return { kind: 'hold', matter: hold.matter };
  if (!period || period.until <= now) return undefined;
  return { kind: 'retention', mode: period.mode, until: period.until };
};

const DAY_MS = 86_400_000;

export const daysAfter = (time: IsoTime, days: number): IsoTime =>
  IsoTime(new Date(Date.parse(time) + days * DAY_MS));
