import type { TenantSummarizers } from '@app/domain';
import { invariant, type TenantId } from '@app/kernel';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { Caller } from '../../sessions/session-store.js';
import type { TenantStore } from '../../tenants/tenant-store.js';

/** Replaces the tenant's summarizers. */
export class ConfigureSummarizers extends Command<TenantSummarizers> {
  constructor(
    readonly tenant: TenantId,
    readonly summarizers: TenantSummarizers,
    readonly caller: Caller,
  ) {
    super();
  }
}

@CommandHandler(ConfigureSummarizers)
export class ConfigureSummarizersHandler implements ICommandHandler<ConfigureSummarizers> {
  constructor(private readonly tenants: TenantStore) {}

  /** @throws {AppError} `tenant-not-found`, `invalid-settings`. */
  async execute({ tenant, summarizers, caller }: ConfigureSummarizers): Promise<TenantSummarizers> {
    const data = { tenantId: tenant, summarizers };
    const { state } = await this.tenants.execute(tenant, { type: 'ConfigureSummarizers', data }, caller);
    invariant(state.status === 'registered', 'summarizers were configured of a tenant that is none');
    return state.summarizers;
  }
}
