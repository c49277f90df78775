import {
  refuseAboveCeilings,
  type TenantLimits,
  type TenantRetention,
  type TenantSummarizers,
  withinCeilings,
} from '@app/domain';
import { invariant } from '@app/kernel';
import { CommandOnTenant } from '../../command-and-query.js';
import { Handler, HandlesCommand } from '../../handlers.js';

/** Changes rate limits of a tenant; absent ones keep their value. */
export class ChangeLimits extends CommandOnTenant<Partial<TenantLimits>, TenantLimits> {}

@HandlesCommand(ChangeLimits)
export class ChangeLimitsHandler extends Handler<ChangeLimits, 'tenants' | 'ceilings'> {
  /** @throws {AppError} `tenant-not-found`; `invalid-settings` for a limit above the operator's ceiling. */
  async execute({ tenant, input: limits, caller }: ChangeLimits): Promise<TenantLimits> {
    refuseAboveCeilings(limits, this.parts.ceilings);
    const data = { tenantId: tenant, limits };
    const { state } = await this.parts.tenants.execute(tenant, { type: 'ChangeLimits', data }, caller);
    invariant(state.status === 'registered', 'limits were changed of a tenant that is none');
    return withinCeilings(state.limits, this.parts.ceilings);
  }
}

/** Replaces the tenant's summarizers. */
export class ConfigureSummarizers extends CommandOnTenant<TenantSummarizers, TenantSummarizers> {}

@HandlesCommand(ConfigureSummarizers)
export class ConfigureSummarizersHandler extends Handler<ConfigureSummarizers, 'tenants'> {
  /** @throws {AppError} `tenant-not-found`, `invalid-settings`. */
  async execute({ tenant, input: summarizers, caller }: ConfigureSummarizers): Promise<TenantSummarizers> {
    const command = { type: 'ConfigureSummarizers', data: { tenantId: tenant, summarizers } } as const;
    const { state } = await this.parts.tenants.execute(tenant, command, caller);
    invariant(state.status === 'registered', 'summarizers were configured of a tenant that is none');
    return state.summarizers;
  }
}

/** Replaces the defaults by which new sessions of a tenant are kept. */
export class SetRetentionDefaults extends CommandOnTenant<TenantRetention, TenantRetention> {}

@HandlesCommand(SetRetentionDefaults)
export class SetRetentionDefaultsHandler extends Handler<SetRetentionDefaults, 'tenants' | 'clock'> {
  /** @throws {AppError} `tenant-not-found`, `invalid-settings`. */
  async execute({ tenant, input: retention, caller }: SetRetentionDefaults): Promise<TenantRetention> {
    const { tenants, clock } = this.parts;
    const data = { tenantId: tenant, retention, by: caller.actor, now: clock.now() };
    const { state } = await tenants.execute(tenant, { type: 'SetRetentionDefaults', data }, caller);
    invariant(state.status === 'registered', 'retention was set of a tenant that is none');
    return state.retention;
  }
}
