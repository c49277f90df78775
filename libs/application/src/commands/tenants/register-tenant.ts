import { type ApiKeyFacts, OPERATOR_TENANT, permissionsOf } from '@app/domain';
import { AppError, type TenantId } from '@app/kernel';
import { Command } from '../../command-and-query.js';
import { Handler, HandlesCommand } from '../../handlers.js';
import type { Caller } from '../../sessions/session-store.js';
import { newApiKey } from '../../tenants/api-key.js';
import type { IssuedApiKey } from './api-keys.js';

/** Registers a tenant and creates the API key of its first admin. */
export class RegisterTenant extends Command<IssuedApiKey> {
  constructor(
    readonly tenant: TenantId,
    readonly name: string,
    /** Tenant of the calling admin; only the operator's tenant may register others. */
    readonly by: TenantId,
    readonly caller: Caller,
  ) {
    super();
  }
}

@HandlesCommand(RegisterTenant)
export class RegisterTenantHandler extends Handler<RegisterTenant, 'tenants' | 'clock'> {
  /** @throws {AppError} `forbidden`, `tenant-exists`. */
  async execute({ tenant, name, by, caller }: RegisterTenant): Promise<IssuedApiKey> {
    if (by !== OPERATOR_TENANT) {
      throw new AppError('forbidden', `only admins of the tenant "${OPERATOR_TENANT}" register tenants`);
    }
    const { secret, kept } = newApiKey();
    const role = 'admin';
    const rest = { permissions: permissionsOf(role), label: 'first admin', expiresAt: null };
    const key: ApiKeyFacts = { ...kept, role, ...rest };
    const data = { tenantId: tenant, name, key, by: caller.actor, now: this.parts.clock.now() };
    await this.parts.tenants.execute(tenant, { type: 'RegisterTenant', data }, caller);
    const { hash: _, ...shown } = key;
    return { tenant, key: secret, ...shown };
  }
}
