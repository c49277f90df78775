import {
  type LimitCeilings,
  refuseAboveCeilings,
  type TenantLimits,
  type TenantRetention,
  type TenantSummarizers,
  withinCeilings,
} from '@app/domain';
import { invariant } from '@app/kernel';
import type { Clock } from '@app/ports';
import type { ICommandHandler } from '@nestjs/cqrs';
import { CommandOnTenant } from '../../command-and-query.js';
import { HandlesCommand } from '../../handlers.js';
import type { TenantStore } from '../../tenants/tenant-store.js';

/** Changes rate limits of a tenant; absent ones keep their value. */
export class ChangeLimits extends CommandOnTenant<Partial<TenantLimits>, TenantLimits> {}

@HandlesCommand(ChangeLimits, 'tenants', 'ceilings')
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

/** Replaces the tenant's summarizers. */
export class ConfigureSummarizers extends CommandOnTenant<TenantSummarizers, TenantSummarizers> {}

@HandlesCommand(ConfigureSummarizers, 'tenants')
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

/** Replaces the defaults by which new sessions of a tenant are kept. */
export class SetRetentionDefaults extends CommandOnTenant<TenantRetention, TenantRetention> {}

@HandlesCommand(SetRetentionDefaults, 'tenants', 'clock')
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
