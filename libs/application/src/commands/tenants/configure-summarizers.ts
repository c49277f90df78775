import type { TenantSummarizers } from '@app/domain';
import { invariant } from '@app/kernel';
import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { CommandOnTenant } from '../../command-and-query.js';
import type { TenantStore } from '../../tenants/tenant-store.js';

/** Replaces the tenant's summarizers. */
export class ConfigureSummarizers extends CommandOnTenant<TenantSummarizers, TenantSummarizers> {}

@CommandHandler(ConfigureSummarizers)
export class ConfigureSummarizersHandler implements ICommandHandler<ConfigureSummarizers> {
  constructor(private readonly tenants: TenantStore) {}

  /** @throws {AppError} `tenant-not-found`, `invalid-settings`. */
  async execute({ tenant, input: summarizers, caller }: ConfigureSummarizers): Promise<TenantSummarizers> {
    const data = { tenantId: tenant, summarizers };
    const { state } = await this.tenants.execute(tenant, { type: 'ConfigureSummarizers', data }, caller);
    invariant(state.status === 'registered', 'summarizers were configured of a tenant that is none');
    return state.summarizers;
  }
}
