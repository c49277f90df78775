import { AppError, LIMITS } from '@app/kernel';
import type { SessionEvent } from '../../session/events.js';
import type { OpenSession } from '../../session/state.js';
import type { PlaceLegalHoldCommand, ReleaseLegalHoldCommand } from '../commands.js';

/**
 * Holds a session for a matter. The first reason stays: a hold that is placed again changes nothing.
 *
 * @throws {AppError} `too-many-holds`.
 */
export const placeLegalHold = (
  { data: { matter, reason, by, now } }: PlaceLegalHoldCommand,
  { protection: { holds } }: OpenSession,
): readonly SessionEvent[] => {
  if (holds.some((hold) => hold.matter === matter)) return [];
  const { max } = LIMITS.holds;
  if (holds.length >= max)
    throw new AppError('too-many-holds', `a session has at most ${max} legal holds: release one first`);
  return [{ type: 'LegalHoldPlaced', data: { matter, reason, by, at: now } }];
};

/** @throws {AppError} `hold-not-found`. */
export const releaseLegalHold = (
  { data: { sessionId, matter, reason, by, now } }: ReleaseLegalHoldCommand,
  { protection: { holds } }: OpenSession,
): readonly SessionEvent[] => {
  if (!holds.some((hold) => hold.matter === matter))
    throw new AppError('hold-not-found', `session "${sessionId}" is not held for "${matter}"${known(holds)}`);
  return [{ type: 'LegalHoldReleased', data: { matter, reason, by, at: now } }];
};

const known = (holds: OpenSession['protection']['holds']): string =>
  holds.length === 0
    ? ': there is no hold'
    : `: it is held for ${holds.map(({ matter }) => matter).join(', ')}`;
