import type { IsoTime } from '@app/kernel';
import type { CompactionCircuitClosed, CompactionFailed, SessionEvent } from '../../events.js';
import type { OpenSession } from '../../state.js';

/** A compaction that has failed for good; one too many in a row stops automatic ones. */
export const failedFor = (
  session: OpenSession,
  failed: CompactionFailed,
  now: IsoTime | undefined,
): readonly SessionEvent[] => {
  const failures = session.failures + 1;
  if (session.circuitOpenedAt !== undefined || failures < session.profile.breakerAfter) return [failed];
  const opened = { failures, messages: session.messages, ...(now && { openedAt: now }) };
  return [failed, { type: 'CompactionCircuitOpened', data: opened }];
};

/** Whether automatic compactions are stopped, nothing has come that one could make better, and they have not cooled down. */
export const isBroken = (session: OpenSession, now: IsoTime | undefined): boolean =>
  isOpen(session) && session.messages <= (session.circuitOpenedAt ?? 0) && !isCooledDown(session, now);

/** Whether they were stopped so long ago that the policy gives them another try. */
export const isCooledDown = (
  { profile, circuitOpenSince }: OpenSession,
  now: IsoTime | undefined,
): boolean => {
  if (profile.breakerCoolDownMinutes === 0 || !circuitOpenSince || !now) return false;
  return Date.parse(now) - Date.parse(circuitOpenSince) >= profile.breakerCoolDownMinutes * MINUTE_MS;
};
const MINUTE_MS = 60_000;
const isOpen = ({ circuitOpenedAt }: OpenSession): boolean => circuitOpenedAt !== undefined;

/** Lets automatic compactions run again, where they were stopped. */
export const closed = (
  { circuitOpenedAt, messages }: OpenSession,
  because: CompactionCircuitClosed['data']['because'],
): readonly SessionEvent[] =>
  circuitOpenedAt === undefined ? [] : [{ type: 'CompactionCircuitClosed', data: { because, messages } }];
