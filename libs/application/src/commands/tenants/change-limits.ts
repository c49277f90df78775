import { type LimitCeilings, refuseAboveCeilings, type TenantLimits, withinCeilings } from '@app/domain';
import { invariant } from '@app/kernel';
import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { CommandOnTenant } from '../../command-and-query.js';
import type { TenantStore } from '../../tenants/tenant-store.js';

/** Changes rate limits of a tenant; absent ones keep their value. */
export class ChangeLimits extends CommandOnTenant<Partial<TenantLimits>, TenantLimits> {}

@CommandHandler(ChangeLimits)
export class ChangeLimitsHandler implements ICommandHandler<ChangeLimits> {
  constructor(
    private readonly tenants: TenantStore,
    private readonly ceilings: LimitCeilings,
  ) {}

  /** @throws {AppError} `tenant-not-found`; `invalid-settings` for a limit above the operator's ceiling. */
  async execute({ tenant, input: limits, caller }: ChangeLimits): Promise<TenantLimits> {
    refuseAboveCeilings(limits, this.ceilings);
    const data = { tenantId: tenant, limits };
    const { state } = await this.tenants.execute(tenant, { type: 'ChangeLimits', data }, caller);
    invariant(state.status === 'registered', 'limits were changed of a tenant that is none');
    return withinCeilings(state.limits, this.ceilings);
  }
}
