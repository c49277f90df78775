import type { TenantRetention } from '@app/domain';
import { invariant, type TenantId } from '@app/kernel';
import type { Clock } from '@app/ports';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { Caller } from '../../sessions/session-store.js';
import type { TenantStore } from '../../tenants/tenant-store.js';

/** Replaces the defaults by which new sessions of a tenant are kept. */
export class SetRetentionDefaults extends Command<TenantRetention> {
  constructor(
    readonly tenant: TenantId,
    readonly retention: TenantRetention,
    readonly caller: Caller,
  ) {
    super();
  }
}

@CommandHandler(SetRetentionDefaults)
export class SetRetentionDefaultsHandler implements ICommandHandler<SetRetentionDefaults> {
  constructor(
    private readonly tenants: TenantStore,
    private readonly clock: Clock,
  ) {}

  /** @throws {AppError} `tenant-not-found`, `invalid-settings`. */
  async execute({ tenant, retention, caller }: SetRetentionDefaults): Promise<TenantRetention> {
    const data = { tenantId: tenant, retention, by: caller.actor, now: this.clock.now() };
    const { state } = await this.tenants.execute(tenant, { type: 'SetRetentionDefaults', data }, caller);
    invariant(state.status === 'registered', 'retention was set of a tenant that is none');
    return state.retention;
  }
}
