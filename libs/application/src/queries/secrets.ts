import type { NamedSecret } from '@app/ports';
import type { IQueryHandler } from '@nestjs/cqrs';
import { QueryOnTenant } from '../command-and-query.js';
import { type HandlerParts, HandlesQuery } from '../handlers.js';

/** Lists the secrets of a tenant by name, without their values. */
export class ListSecrets extends QueryOnTenant<readonly NamedSecret[]> {}

@HandlesQuery(ListSecrets)
export class ListSecretsHandler implements IQueryHandler<ListSecrets> {
  constructor(private readonly parts: Pick<HandlerParts, 'secrets'>) {}

  execute({ tenant }: ListSecrets): Promise<readonly NamedSecret[]> {
    return this.parts.secrets.list(tenant);
  }
}
