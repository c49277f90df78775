import { AppError, canonicalJson, Revision } from '@app/kernel';
import { outputReserve } from '../../budget/limits.js';
import { evolve } from '../../evolve/evolve.js';
import { withSubjects } from '../../message/index.js';
import { requireValidProfile } from '../../profiles/fields/require-valid-profile.js';
import { profileFor } from '../../profiles/for-model.js';
import type { EventData, EventOf, Pin, SessionEvent } from '../../session/events.js';
import { initialState, type OpenSession, type SessionState } from '../../session/state.js';
import type { CommandOf } from '../commands.js';
import { retainedFrom } from '../protection/change-protection.js';
import { doubleConfigured } from '../provider/report-edits.js';
import { pinContent } from './pin-content.js';

/** A session is opened once; the same command again changes nothing, another one is refused. */
export const openSession = (
  { data: { mandate, retention, ...data } }: CommandOf<'OpenSession'>,
  state: SessionState,
): readonly SessionEvent[] => {
  if (state.status === 'open') {
    if (state.opened.erased) return []; // What it was opened with cannot be compared.
    if (isSameOpening(state.opened, data) && hasMandate(state, mandate)) return [];
    throw new AppError(
      'session-already-open',
      `session "${data.sessionId}" is open already, with other settings: append to it as it is, or give the new session another ID`,
    );
  }
  requireValidProfile(data.profile);
  outputReserve(data.limits, profileFor(data.profile, data.model)); // Refuses a window that leaves no room.
  const opened: EventOf<'SessionOpened'> = { type: 'SessionOpened', data };
  const double = doubleConfigured(data.profile, 'session-start');
  return [
    opened,
    ...(mandate ? pinned(opened, mandate) : []),
    ...double,
    ...retainedFrom(data.openedAt, retention),
  ];
};

/** Whether two openings are of the same session; opened again it is opened at another time. */
const isSameOpening = (
  { openedAt: _, ...a }: EventData<'SessionOpened'>,
  { openedAt: __, ...b }: EventData<'SessionOpened'>,
): boolean => canonicalJson(a) === canonicalJson(b);

const hasMandate = ({ pins }: OpenSession, mandate: Pin | undefined): boolean =>
  mandate === undefined ||
  pins.some((pin) => canonicalJson(withSubjects(pin, [])) === canonicalJson(mandate));

const pinned = (opened: EventOf<'SessionOpened'>, pin: Pin): readonly SessionEvent[] => {
  const session = evolve(initialState, { event: opened, revision: Revision(0) });
  if (session.status !== 'open') throw new RangeError('a session that is opened is open');
  const owned = withSubjects(pin, opened.data.subjects ?? []);
  return pinContent({ type: 'PinContent', data: { sessionId: opened.data.sessionId, pin: owned } }, session);
};
