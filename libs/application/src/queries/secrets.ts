import type { NamedSecret } from '@app/ports';
import { QueryOnTenant } from '../command-and-query.js';
import { Handler, HandlesQuery } from '../handlers.js';

/** Lists the secrets of a tenant by name, without their values. */
export class ListSecrets extends QueryOnTenant<readonly NamedSecret[]> {}

@HandlesQuery(ListSecrets)
export class ListSecretsHandler extends Handler<ListSecrets, 'secrets'> {
  execute({ tenant }: ListSecrets): Promise<readonly NamedSecret[]> {
    return this.parts.secrets.list(tenant);
  }
}
