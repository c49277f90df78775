import { Actor, AppError, type Decisions, type IsoTime, LIMITS } from '@app/kernel';
import type { SessionEvent } from '../../session/events.js';
import {
  daysAfter,
  erasureBarrier,
  keptThrough,
  RETENTION_DAYS_MAX,
  type RetentionDefault,
  type RetentionPeriod,
} from '../../session/protection.js';
import type { OpenSession } from '../../session/state.js';
import type { Decide, ProtectionCommand, SessionCommand } from '../commands.js';

/**
 * Sets or changes the period in which a session is kept. A period that has ended is no longer binding. One that counts from the
 * newest event goes on to, unless it is shortened.
 *
 * @throws {AppError} `retention-locked` if it shortens or weakens a period in the mode `compliance`, or one in the mode
 *   `governance` without permission or reason; `invalid-settings` for a date that is past, or a hundred years ahead.
 */
const setRetention: Decide<'SetRetention'> = (
  { data: { mode, until, reason, mayShorten, by, now } },
  { protection },
) => {
  if (until <= now)
    throw new AppError(
      'invalid-settings',
      `a retention period ends in the future: it is ${now} now, give a later time`,
    );
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
const removeRetention: Decide<'RemoveRetention'> = (
  { data: { reason, mayShorten, by, now } },
  { protection },
) => {
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

/** Moves the date of a period that counts from the newest event; nothing if the date is not later by that. */
const extendRetention: Decide<'ExtendRetention'> = (
  { data: { newestAt, by, now } },
  { protection: { period } },
) => {
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
const endRetention: Decide<'EndRetention'> = ({ data: { now } }, { protection }) => {
  if (!protection.period || erasureBarrier(protection, now)) return [];
  return [{ type: 'RetentionPeriodEnded', data: { until: protection.period.until, at: now } }];
};

/**
 * Holds a session for a matter. The first reason stays: a hold that is placed again changes nothing.
 *
 * @throws {AppError} `too-many-holds`.
 */
const placeLegalHold: Decide<'PlaceLegalHold'> = (
  { data: { matter, reason, by, now } },
  { protection: { holds } },
) => {
  if (holds.some((hold) => hold.matter === matter)) return [];
  const { max } = LIMITS.holds;
  if (holds.length >= max)
    throw new AppError('too-many-holds', `a session has at most ${max} legal holds: release one first`);
  return [{ type: 'LegalHoldPlaced', data: { matter, reason, by, at: now } }];
};

/** @throws {AppError} `hold-not-found`. */
const releaseLegalHold: Decide<'ReleaseLegalHold'> = (
  { data: { sessionId, matter, reason, by, now } },
  { protection: { holds } },
) => {
  if (!holds.some((hold) => hold.matter === matter))
    throw new AppError('hold-not-found', `session "${sessionId}" is not held for "${matter}"${known(holds)}`);
  return [{ type: 'LegalHoldReleased', data: { matter, reason, by, at: now } }];
};

const known = (holds: OpenSession['protection']['holds']): string =>
  holds.length === 0
    ? ': it has no hold, and `palimpsest holds list` lists those of all sessions'
    : `: it is held for ${holds.map(({ matter }) => matter).join(', ')}`;

const DECISIONS: Decisions<ProtectionCommand, OpenSession, SessionEvent> = {
  SetRetention: setRetention,
  RemoveRetention: removeRetention,
  ExtendRetention: extendRetention,
  EndRetention: endRetention,
  PlaceLegalHold: placeLegalHold,
  ReleaseLegalHold: releaseLegalHold,
};

export const isProtectionCommand = (command: SessionCommand): command is ProtectionCommand =>
  Object.hasOwn(DECISIONS, command.type);

/** Decides retention and holds of a session, open or closed. */
export const changeProtection = <Type extends ProtectionCommand['type']>(
  command: Extract<ProtectionCommand, { readonly type: Type }>,
  session: OpenSession,
): readonly SessionEvent[] => DECISIONS[command.type](command, session);
