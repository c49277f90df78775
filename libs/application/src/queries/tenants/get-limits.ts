import { type LimitCeilings, type TenantLimits, withinCeilings } from '@app/domain';
import { AppError } from '@app/kernel';
import { type IQueryHandler, QueryHandler } from '@nestjs/cqrs';
import { QueryOnTenant } from '../../command-and-query.js';
import type { TenantStore } from '../../tenants/tenant-store.js';

/** Returns the rate limits of a tenant. */
export class GetLimits extends QueryOnTenant<TenantLimits> {}

@QueryHandler(GetLimits)
export class GetLimitsHandler implements IQueryHandler<GetLimits> {
  constructor(
    private readonly tenants: TenantStore,
    private readonly ceilings: LimitCeilings,
  ) {}

  /** @throws {AppError} `tenant-not-found`. */
  async execute({ tenant }: GetLimits): Promise<TenantLimits> {
    const { state } = await this.tenants.load(tenant);
    if (state.status === 'registered') return withinCeilings(state.limits, this.ceilings);
    throw new AppError('tenant-not-found', `there is no tenant "${tenant}"`);
  }
}
