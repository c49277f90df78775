import { type ErasureTarget, erasureBarrier } from '@app/domain';
import type { Actor, IsoTime, SessionId, TenantId } from '@app/kernel';
import type { Clock } from '@app/ports';
import type { CommandBus } from '@nestjs/cqrs';
import type { ErasureGuard, ErasureObstacle } from '../erasures/erasure-guard.js';
import type { ErasureRunner } from '../erasures/erasure-runner.js';
import type { LedgerStore } from '../erasures/ledger-store.js';
import { RequestErasure } from '../erasures/request-erasure.js';
import type { SessionRef } from '../sessions/session-ref.js';
import type { SessionStore } from '../sessions/session-store.js';
import { currentProtection } from './current-protection.js';

const REASON = 'the retention period has ended';

/** Erasures that holds and retention periods have deferred, and erasures that the end of a period requests. */
export class HeldBackErasures {
  constructor(
    private readonly ledgers: Pick<LedgerStore, 'load'>,
    private readonly runner: Pick<ErasureRunner, 'carryOut' | 'tryAgain'>,
    private readonly commands: Pick<CommandBus, 'execute'>,
  ) {}

  /**
   * Tries the deferred erasures of a tenant again: a hold or a period has ended. One that fails does not stop those after it.
   *
   * @param released the sessions whose hold or period has ended: erasures that another session defers are left alone. All
   *   sessions by default.
   * @throws the first failure, after all have been tried.
   */
  async retry(tenant: TenantId, released?: ReadonlySet<SessionId>): Promise<void> {
    const { ledger } = await this.ledgers.load(tenant);
    const failures: unknown[] = [];
    for (const erasure of ledger.erasures.values()) {
      if (erasure.state !== 'deferred') continue;
      const by = erasure.deferred?.session;
      if (released && by !== undefined && !released.has(by)) continue;
      await this.runner.tryAgain(tenant, erasure).catch((error: unknown) => failures.push(error));
    }
    if (failures.length > 0) throw failures[0];
  }

  /**
   * Erases a session whose retention period has ended. Resolves to `false` if the erasure waits: for an approval, or because of
   * a hold that was placed meanwhile. Asked again, it is not requested again.
   */
  async eraseAfterRetention({ tenant, session }: SessionRef, actor: Actor): Promise<boolean> {
    const { ledger } = await this.ledgers.load(tenant);
    const open = [...ledger.erasures.values()].find(
      ({ target, state }) =>
        target.scope === 'session' &&
        target.session === session &&
        (state === 'awaiting-approval' || state === 'deferred' || state === 'in-progress'),
    );
    if (open) return (await this.runner.carryOut(tenant, open.erasureId)).state === 'completed';
    const request = new RequestErasure(
      tenant,
      { target: { scope: 'session', session }, reason: REASON },
      { actor },
    );
    return (await this.commands.execute(request)).state === 'completed';
  }
}

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
  const { session } = ref;
  if (barrier.kind === 'hold')
    return { because: `legal hold "${barrier.matter}" of session "${session}"`, session };
  const { mode, until } = barrier;
  return { because: `retention of session "${session}" in the mode ${mode}`, session, until };
};
