import { keptThrough, NO_PROTECTION, type SessionProtection } from '@app/domain';
import type { Actor, IsoTime } from '@app/kernel';
import type { CommandFor } from '../sessions/decisions.js';
import type { SessionRef } from '../sessions/session-ref.js';
import type { SessionStore } from '../sessions/session-store.js';

/**
 * Returns the holds and the retention period of a session, from its stream alone. A period that counts from the newest event has the date that this
 * event gives it: the watch records that date up to a day later, and rows can be edited.
 */
export const currentProtection = async (
  sessions: Pick<SessionStore, 'load' | 'activeAt'>,
  ref: SessionRef,
): Promise<SessionProtection> => {
  const { state } = await sessions.load(ref);
  if (state.status !== 'open') return NO_PROTECTION;
  const { period } = state.protection;
  const newestAt = period?.days === undefined ? undefined : await sessions.activeAt(ref);
  if (!period || newestAt === undefined) return state.protection;
  return { ...state.protection, period: keptThrough(period, newestAt) };
};

/** Returns a command that records the date of {@link currentProtection}; none where it is recorded already. */
export const extendingRetention = (
  sessions: Pick<SessionStore, 'activeAt'>,
  ref: SessionRef,
  said: { readonly by: Actor; readonly now: IsoTime },
): CommandFor => ({
  called: 'ExtendRetention',
  make: async (state) => {
    if (state.status !== 'open' || state.protection.period?.days === undefined) return undefined;
    const newestAt = await sessions.activeAt(ref);
    if (newestAt === undefined) return undefined;
    return { type: 'ExtendRetention', data: { sessionId: ref.session, newestAt, ...said } };
  },
});
