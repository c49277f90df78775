import type { TenantSummarizers } from '@app/domain';
import { AppError, type TenantId } from '@app/kernel';
import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import type { TenantStore } from '../../tenants/tenant-store.js';

/** Returns the configured summarizers of a tenant. */
export class GetSummarizers extends Query<TenantSummarizers> {
  constructor(readonly tenant: TenantId) {
    super();
  }
}

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
