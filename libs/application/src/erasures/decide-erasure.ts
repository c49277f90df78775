import type { ErasureView } from '@app/contract';
import { approveErasure, requireErasure, withdrawErasure } from '@app/domain';
import type { ErasureId, TenantId } from '@app/kernel';
import type { Clock } from '@app/ports';
import { Command, type ICommandHandler } from '@nestjs/cqrs';
import { CommandOnTenant } from '../command-and-query.js';
import { HandlesCommand } from '../handlers.js';
import type { ErasureRunner } from './erasure-runner.js';
import type { LedgerStore } from './ledger-store.js';
import { erasureView } from './read-erasures.js';

/** Approves an erasure that another person has requested, and carries it out. */
export class ApproveErasure extends CommandOnTenant<ErasureId, ErasureView> {}

@HandlesCommand(ApproveErasure, 'ledgers', 'runner', 'clock')
export class ApproveErasureHandler implements ICommandHandler<ApproveErasure> {
  constructor(
    private readonly ledgers: LedgerStore,
    private readonly runner: ErasureRunner,
    private readonly clock: Clock,
  ) {}

  /** @throws {AppError} `erasure-not-found`, `erasure-not-pending`, `approval-by-requester`. */
  async execute({ tenant, input: erasure, caller }: ApproveErasure): Promise<ErasureView> {
    const now = this.clock.now();
    await this.ledgers.record(tenant, (ledger) => approveErasure(ledger, erasure, caller.actor, now), caller);
    return erasureView(await this.runner.carryOut(tenant, erasure));
  }
}

/** Withdraws an erasure that has not begun. */
export class WithdrawErasure extends CommandOnTenant<
  { readonly erasure: ErasureId; readonly reason: string },
  ErasureView
> {}

@HandlesCommand(WithdrawErasure, 'ledgers', 'clock')
export class WithdrawErasureHandler implements ICommandHandler<WithdrawErasure> {
  constructor(
    private readonly ledgers: LedgerStore,
    private readonly clock: Clock,
  ) {}

  /** @throws {AppError} `erasure-not-found`, `erasure-not-pending`. */
  async execute({ tenant, input: { erasure, reason }, caller }: WithdrawErasure): Promise<ErasureView> {
    const said = { reason, by: caller.actor, now: this.clock.now() };
    const { ledger } = await this.ledgers.record(
      tenant,
      (one) => withdrawErasure(one, erasure, said),
      caller,
    );
    return erasureView(requireErasure(ledger, erasure));
  }
}

/** Tries a deferred erasure again, for example because a hold has ended. One that is not deferred stays as it is. */
export class RetryErasure extends Command<ErasureView> {
  constructor(
    readonly tenant: TenantId,
    readonly erasure: ErasureId,
  ) {
    super();
  }
}

@HandlesCommand(RetryErasure, 'runner')
export class RetryErasureHandler implements ICommandHandler<RetryErasure> {
  constructor(private readonly runner: ErasureRunner) {}

  /** @throws {AppError} `erasure-not-found`. */
  async execute({ tenant, erasure }: RetryErasure): Promise<ErasureView> {
    return erasureView(await this.runner.carryOut(tenant, erasure));
  }
}

/** Sets how many people the erasures of a tenant take from now on. */
export class ChangeErasurePolicy extends CommandOnTenant<1 | 2, { readonly people: 1 | 2 }> {}

@HandlesCommand(ChangeErasurePolicy, 'ledgers', 'clock')
export class ChangeErasurePolicyHandler implements ICommandHandler<ChangeErasurePolicy> {
  constructor(
    private readonly ledgers: LedgerStore,
    private readonly clock: Clock,
  ) {}

  async execute({ tenant, input: people, caller }: ChangeErasurePolicy): Promise<{ readonly people: 1 | 2 }> {
    const data = { people, changedBy: caller.actor, changedAt: this.clock.now() };
    const { ledger } = await this.ledgers.record(
      tenant,
      (one) => (one.people === people ? undefined : { type: 'ErasurePolicyChanged', data }),
      caller,
    );
    return { people: ledger.people };
  }
}
