import type { TenantSummarizers } from '@app/domain';
import { AppError } from '@app/kernel';
import { type IQueryHandler, QueryHandler } from '@nestjs/cqrs';
import { QueryOnTenant } from '../../command-and-query.js';
import type { TenantStore } from '../../tenants/tenant-store.js';

/** Returns the configured summarizers of a tenant. */
export class GetSummarizers extends QueryOnTenant<TenantSummarizers> {}

@QueryHandler(GetSummarizers)
export class GetSummarizersHandler implements IQueryHandler<GetSummarizers> {
  constructor(private readonly tenants: TenantStore) {}

  /** @throws {AppError} `tenant-not-found`. */
  async execute({ tenant }: GetSummarizers): Promise<TenantSummarizers> {
    const { state } = await this.tenants.load(tenant);
    if (state.status === 'registered') return state.summarizers;
    throw new AppError('tenant-not-found', `there is no tenant "${tenant}"`);
  }
}
