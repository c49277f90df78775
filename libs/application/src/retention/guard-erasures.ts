import { type ErasureTarget, erasureBarrier } from '@app/domain';
import type { IsoTime, SessionId, TenantId } from '@app/kernel';
import type { Clock } from '@app/ports';
import type { ErasureGuard, ErasureObstacle } from '../erasures/erasure-guard.js';
import type { SessionStore } from '../sessions/session-store.js';
import { currentProtection } from './current-protection.js';

/** Sessions that are read at the same time. */
const READ_AT_ONCE = 16;

export type GuardParts = {
  readonly sessions: Pick<SessionStore, 'load' | 'activeAt'>;
  /** Returns the sessions that an erasure concerns. */
  readonly concerned: (tenant: TenantId, target: ErasureTarget) => Promise<readonly SessionId[]>;
  readonly clock: Clock;
};

/**
 * Returns a guard that defers an erasure while any session that it concerns is held or kept. It reads the sessions' streams: an
 * edit of rows shortens nothing.
 */
export const guardErasures =
  ({ sessions, concerned, clock }: GuardParts): ErasureGuard =>
  async ({ tenant, target, sessions: named }) => {
    const all = named ?? (await concerned(tenant, target));
    const now = clock.now();
    for (let at = 0; at < all.length; at += READ_AT_ONCE) {
      const group = all.slice(at, at + READ_AT_ONCE);
      const found = await Promise.all(group.map((session) => obstacleOf(sessions, { tenant, session }, now)));
      const obstacle = found.find((one) => one !== undefined);
      if (obstacle) return obstacle;
    }
    return undefined;
  };

const obstacleOf = async (
  sessions: GuardParts['sessions'],
  ref: { readonly tenant: TenantId; readonly session: SessionId },
  now: IsoTime,
): Promise<ErasureObstacle | undefined> => {
  const barrier = erasureBarrier(await currentProtection(sessions, ref), now);
  if (!barrier) return undefined;
  if (barrier.kind === 'hold')
    return { because: `legal hold "${barrier.matter}" of session "${ref.session}"` };
  const { mode, until } = barrier;
  return { because: `retention of session "${ref.session}" in the mode ${mode}`, until };
};
