import type { NamedSecret, SecretStore } from '@app/ports';
import type { IQueryHandler } from '@nestjs/cqrs';
import { QueryOnTenant } from '../command-and-query.js';
import { HandlesQuery } from '../handlers.js';

/** Lists the secrets of a tenant by name, without their values. */
export class ListSecrets extends QueryOnTenant<readonly NamedSecret[]> {}

@HandlesQuery(ListSecrets, 'secrets')
export class ListSecretsHandler implements IQueryHandler<ListSecrets> {
  constructor(private readonly secrets: SecretStore) {}

  execute({ tenant }: ListSecrets): Promise<readonly NamedSecret[]> {
    return this.secrets.list(tenant);
  }
}
