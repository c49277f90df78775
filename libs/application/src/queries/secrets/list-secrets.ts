import type { TenantId } from '@app/kernel';
import type { NamedSecret, SecretStore } from '@app/ports';
import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';

/** Lists the secrets of a tenant by name, without their values. */
export class ListSecrets extends Query<readonly NamedSecret[]> {
  constructor(readonly tenant: TenantId) {
    super();
  }
}

@QueryHandler(ListSecrets)
export class ListSecretsHandler implements IQueryHandler<ListSecrets> {
  constructor(private readonly secrets: SecretStore) {}

  execute({ tenant }: ListSecrets): Promise<readonly NamedSecret[]> {
    return this.secrets.list(tenant);
  }
}
