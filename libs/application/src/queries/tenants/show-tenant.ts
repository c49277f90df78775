import { AppError, tenantStream } from '@app/kernel';
import type { ListedTenant, TenantLog } from '@app/ports';
import { type IQueryHandler, QueryHandler } from '@nestjs/cqrs';
import { QueryOnTenant } from '../../command-and-query.js';
import type { TenantStore } from '../../tenants/tenant-store.js';

/** Returns a tenant from the log. */
export class ShowTenant extends QueryOnTenant<ListedTenant> {}

@QueryHandler(ShowTenant)
export class ShowTenantHandler implements IQueryHandler<ShowTenant> {
  constructor(
    private readonly tenants: TenantStore,
    private readonly log: TenantLog,
  ) {}

  /** @throws {AppError} `tenant-not-found`. */
  async execute({ tenant }: ShowTenant): Promise<ListedTenant> {
    const { state } = await this.tenants.load(tenant);
    if (state.status === 'absent')
      throw new AppError(
        'tenant-not-found',
        `there is no tenant "${tenant}": \`palimpsest tenants list\` or GET /v1/tenants names all`,
      );
    const { name, limits } = state;
    for await (const { event, recordedAt, context } of this.log.readForwards(tenantStream(tenant), {
      limit: 1,
    }))
      if (event.type === 'TenantRegistered')
        return { tenant, name, registeredAt: recordedAt, registeredBy: context.actor, limits };
    return { tenant, name, registeredAt: null, registeredBy: null, limits };
  }
}
