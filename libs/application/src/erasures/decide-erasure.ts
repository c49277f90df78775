import type { ErasureView } from '@app/contract';
import { approveErasure, requireErasure, withdrawErasure } from '@app/domain';
import type { ErasureId } from '@app/kernel';
import { CommandOnTenant } from '../command-and-query.js';
import { Handler, HandlesCommand } from '../handlers.js';
import { erasureView } from './read-erasures.js';

/** Approves an erasure that another person has requested, and carries it out. */
export class ApproveErasure extends CommandOnTenant<ErasureId, ErasureView> {}

@HandlesCommand(ApproveErasure)
export class ApproveErasureHandler extends Handler<ApproveErasure, 'ledgers' | 'runner' | 'clock'> {
  /** @throws {AppError} `erasure-not-found`, `erasure-not-pending`, `approval-by-requester`. */
  async execute({ tenant, input: erasure, caller }: ApproveErasure): Promise<ErasureView> {
    const { ledgers, runner, clock } = this.parts;
    const now = clock.now();
    await ledgers.record(tenant, (ledger) => approveErasure(ledger, erasure, caller.actor, now), caller);
    return erasureView(await runner.carryOut(tenant, erasure));
  }
}

/** Withdraws an erasure that has not begun. */
export class WithdrawErasure extends CommandOnTenant<
  { readonly erasure: ErasureId; readonly reason: string },
  ErasureView
> {}

@HandlesCommand(WithdrawErasure)
export class WithdrawErasureHandler extends Handler<WithdrawErasure, 'ledgers' | 'clock'> {
  /** @throws {AppError} `erasure-not-found`, `erasure-not-pending`. */
  async execute({ tenant, input: { erasure, reason }, caller }: WithdrawErasure): Promise<ErasureView> {
    const said = { reason, by: caller.actor, now: this.parts.clock.now() };
    const { ledger } = await this.parts.ledgers.record(
      tenant,
      (one) => withdrawErasure(one, erasure, said),
      caller,
    );
    return erasureView(requireErasure(ledger, erasure));
  }
}

/** Sets how many people the erasures of a tenant take from now on. */
export class ChangeErasurePolicy extends CommandOnTenant<1 | 2, { readonly people: 1 | 2 }> {}

@HandlesCommand(ChangeErasurePolicy)
export class ChangeErasurePolicyHandler extends Handler<ChangeErasurePolicy, 'ledgers' | 'clock'> {
  async execute({ tenant, input: people, caller }: ChangeErasurePolicy): Promise<{ readonly people: 1 | 2 }> {
    const data = { people, changedBy: caller.actor, changedAt: this.parts.clock.now() };
    const { ledger } = await this.parts.ledgers.record(
      tenant,
      (one) => (one.people === people ? undefined : { type: 'ErasurePolicyChanged', data }),
      caller,
    );
    return { people: ledger.people };
  }
}
