import type { TenantRetention } from '@app/domain';
import { invariant } from '@app/kernel';
import type { Clock } from '@app/ports';
import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { CommandOnTenant } from '../../command-and-query.js';
import type { TenantStore } from '../../tenants/tenant-store.js';

/** Replaces the defaults by which new sessions of a tenant are kept. */
export class SetRetentionDefaults extends CommandOnTenant<TenantRetention, TenantRetention> {}

@CommandHandler(SetRetentionDefaults)
export class SetRetentionDefaultsHandler implements ICommandHandler<SetRetentionDefaults> {
  constructor(
    private readonly tenants: TenantStore,
    private readonly clock: Clock,
  ) {}

  /** @throws {AppError} `tenant-not-found`, `invalid-settings`. */
  async execute({ tenant, input: retention, caller }: SetRetentionDefaults): Promise<TenantRetention> {
    const data = { tenantId: tenant, retention, by: caller.actor, now: this.clock.now() };
    const { state } = await this.tenants.execute(tenant, { type: 'SetRetentionDefaults', data }, caller);
    invariant(state.status === 'registered', 'retention was set of a tenant that is none');
    return state.retention;
  }
}
