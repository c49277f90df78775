import type { SecretName } from '@app/kernel';
import type { SecretStore } from '@app/ports';
import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { CommandOnTenant } from '../../command-and-query.js';
import type { TenantStore } from '../../tenants/tenant-store.js';

/** Deletes a secret of the tenant. */
export class RemoveSecret extends CommandOnTenant<SecretName, void> {}

@CommandHandler(RemoveSecret)
export class RemoveSecretHandler implements ICommandHandler<RemoveSecret> {
  constructor(
    private readonly tenants: TenantStore,
    private readonly secrets: SecretStore,
  ) {}

  /** @throws {AppError} `tenant-not-found`, `secret-not-found`. */
  async execute({ tenant, input: name, caller }: RemoveSecret): Promise<void> {
    // The value is deleted before the event is recorded; after a crash in between, the command can be repeated.
    await this.secrets.remove(tenant, name);
    await this.tenants.execute(tenant, { type: 'RemoveSecret', data: { tenantId: tenant, name } }, caller);
  }
}
