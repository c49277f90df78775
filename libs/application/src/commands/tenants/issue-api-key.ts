import { type ApiKeyFacts, type KeyPermission, type KeyRole, permissionsOf } from '@app/domain';
import type { IsoTime, TenantId } from '@app/kernel';
import type { Clock } from '@app/ports';
import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { CommandOnTenant } from '../../command-and-query.js';
import { newApiKey } from '../../tenants/api-key.js';
import type { TenantStore } from '../../tenants/tenant-store.js';

/** `key` is the whole key, of which only a digest is stored: it cannot be shown again. */
export type IssuedApiKey = Omit<ApiKeyFacts, 'hash'> & { readonly tenant: TenantId; readonly key: string };

export type ApiKeyInput = {
  readonly role: KeyRole;
  /** Permissions in addition to those of the role. */
  readonly permissions?: readonly KeyPermission[];
  readonly label: string;
  readonly expiresAt: IsoTime | null;
};

/** Creates an API key of a tenant. */
export class IssueApiKey extends CommandOnTenant<ApiKeyInput, IssuedApiKey> {}

@CommandHandler(IssueApiKey)
export class IssueApiKeyHandler implements ICommandHandler<IssueApiKey> {
  constructor(
    private readonly tenants: TenantStore,
    private readonly clock: Clock,
  ) {}

  /** @throws {AppError} `tenant-not-found`, `too-many-keys`. */
  async execute({ tenant, input, caller }: IssueApiKey): Promise<IssuedApiKey> {
    const { secret, kept } = newApiKey();
    const key = { ...kept, ...input, permissions: permissionsOf(input.role, input.permissions) };
    const data = { tenantId: tenant, key, by: caller.actor, now: this.clock.now() };
    await this.tenants.execute(tenant, { type: 'IssueApiKey', data }, caller);
    const { hash: _, ...shown } = key;
    return { tenant, key: secret, ...shown };
  }
}
