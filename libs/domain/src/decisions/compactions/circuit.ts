import type { IsoTime } from '@app/kernel';
import type { EventData, EventOf, SessionEvent } from '../../session/events.js';
import type { OpenSession } from '../../session/state.js';

/**
 * Records a failed compaction, and opens the circuit if the limit of consecutive failures is reached or it was a
 * trial.
 */
export const failedFor = (
  session: OpenSession,
  failed: EventOf<'CompactionFailed'>,
  now: IsoTime | undefined,
): readonly SessionEvent[] => [failed, ...openedBy(session, session.failures + 1, now)];

/** Opens the circuit after the policy's number of consecutive failures. */
export const openedBy = (
  { circuit, profile, turn }: OpenSession,
  failures: number,
  now: IsoTime | undefined,
): readonly EventOf<'CompactionCircuitOpened'>[] => {
  if (circuit?.is === 'open') return [];
  if (!circuit && failures < profile.breakerFailures) return [];
  const { breakerCooldownTurns: cooldownTurns, breakerCooldownMinutes: cooldownMinutes } = profile;
  const data = { failures, turn, cooldownTurns, cooldownMinutes, ...(now && { openedAt: now }) };
  return [{ type: 'CompactionCircuitOpened', data }];
};

/** Whether automatic compactions are stopped, and no trial is due. */
export const isBroken = (session: OpenSession, now: IsoTime | undefined): boolean =>
  session.circuit?.is === 'open' && trialDue(session, now) === undefined;

/** Why an open circuit allows a trial; `undefined` while it holds. */
const trialDue = (
  session: OpenSession,
  now: IsoTime | undefined,
): 'turns-passed' | 'time-passed' | undefined => {
  const { circuit, profile, turn } = session;
  const { breakerCooldownTurns } = profile;
  if (circuit && breakerCooldownTurns > 0 && turn - circuit.turn >= breakerCooldownTurns)
    return 'turns-passed';
  return hasTimePassed(session, now) ? 'time-passed' : undefined;
};

/** Whether the circuit opened so long ago that the policy allows another try, in the same turn too. */
export const hasTimePassed = ({ profile, circuit }: OpenSession, now: IsoTime | undefined): boolean => {
  if (profile.breakerCooldownMinutes === 0 || !circuit?.since || !now) return false;
  return Date.parse(now) - Date.parse(circuit.since) >= profile.breakerCooldownMinutes * MINUTE_MS;
};
const MINUTE_MS = 60_000;

/** Half-opens the circuit for one automatic compaction, if its duration is over. */
export const trialOf = (
  session: OpenSession,
  now: IsoTime | undefined,
): readonly EventOf<'CompactionCircuitHalfOpened'>[] => {
  const reason = session.circuit?.is === 'open' ? trialDue(session, now) : undefined;
  return reason ? [{ type: 'CompactionCircuitHalfOpened', data: { reason, turn: session.turn } }] : [];
};

/** A compaction that a caller asks for is a trial as well, whenever that is. */
export const explicitTrialOf = ({
  circuit,
  turn,
}: OpenSession): readonly EventOf<'CompactionCircuitHalfOpened'>[] =>
  circuit?.is === 'open'
    ? [{ type: 'CompactionCircuitHalfOpened', data: { reason: 'explicit-request', turn } }]
    : [];

/** Closes the circuit, if it is open. */
export const closed = (
  { circuit, turn }: OpenSession,
  reason: EventData<'CompactionCircuitClosed'>['reason'],
): readonly EventOf<'CompactionCircuitClosed'>[] =>
  circuit ? [{ type: 'CompactionCircuitClosed', data: { reason, turn } }] : [];
