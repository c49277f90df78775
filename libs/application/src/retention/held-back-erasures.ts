import type { Actor, TenantId } from '@app/kernel';
import type { CommandBus } from '@nestjs/cqrs';
import type { ErasureRunner } from '../erasures/erasure-runner.js';
import type { LedgerStore } from '../erasures/ledger-store.js';
import { RequestErasure } from '../erasures/request-erasure.js';
import type { SessionRef } from '../sessions/session-ref.js';

const REASON = 'the retention period has ended';

/** Erasures that holds and retention periods have deferred, and erasures that the end of a period requests. */
export class HeldBackErasures {
  constructor(
    private readonly ledgers: Pick<LedgerStore, 'load'>,
    private readonly runner: Pick<ErasureRunner, 'carryOut'>,
    private readonly commands: Pick<CommandBus, 'execute'>,
  ) {}

  /**
   * Tries the deferred erasures of a tenant again: a hold or a period has ended. One that fails does not stop those after it.
   *
   * @throws the first failure, after all have been tried.
   */
  async retry(tenant: TenantId): Promise<void> {
    const { ledger } = await this.ledgers.load(tenant);
    const failures: unknown[] = [];
    for (const { erasureId, state } of ledger.erasures.values()) {
      if (state !== 'deferred') continue;
      await this.runner.carryOut(tenant, erasureId).catch((error: unknown) => failures.push(error));
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
    const request = new RequestErasure(tenant, { scope: 'session', session }, REASON, { actor });
    return (await this.commands.execute(request)).state === 'completed';
  }
}
