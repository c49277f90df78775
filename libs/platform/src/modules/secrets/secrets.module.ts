import { openSecretStore, resealSecrets } from '@app/adapters/read-model-postgres';
import { openSecretBox } from '@app/adapters/secret-box';
import { ListSecretsHandler, PutSecretHandler, RemoveSecretHandler, TenantStore } from '@app/application';
import { Module } from '@nestjs/common';
import { CqrsModule } from '@nestjs/cqrs';
import { classProvider, factoryProvider } from '../../providers.js';
import { APP_CONFIG, CLOCK, DATABASE, ON_PROBLEM, SECRET_BOX, SECRET_STORE, SERVERS } from '../../symbols.js';
import { DatabaseModule } from '../database.module.js';
import { ServersModule } from '../servers.module.js';
import { TenantsModule } from '../tenants/tenants.module.js';
import { secretKeys } from './secret-keys.js';

/** Named secrets of tenants, sealed, and the box that seals them and the secrets of webhooks. */
@Module({
  imports: [CqrsModule, ServersModule, DatabaseModule, TenantsModule],
  providers: [
    factoryProvider(
      SECRET_BOX,
      { config: APP_CONFIG, servers: SERVERS, database: DATABASE, onProblem: ON_PROBLEM },
      async ({ config, servers, database, onProblem }) => {
        const box = openSecretBox(await secretKeys(config, servers.ownFolder));
        // Secrets sealed with an older key, or unsealed, are sealed with the current key before they are read.
        await resealSecrets(database, box, onProblem('secrets'));
        return box;
      },
    ),
    factoryProvider(SECRET_STORE, { database: DATABASE, box: SECRET_BOX }, ({ database, box }) =>
      openSecretStore(database, box),
    ),
    classProvider(PutSecretHandler, TenantStore, SECRET_STORE, CLOCK),
    classProvider(RemoveSecretHandler, TenantStore, SECRET_STORE),
    classProvider(ListSecretsHandler, SECRET_STORE),
  ],
  exports: [SECRET_BOX, SECRET_STORE],
})
export class SecretsModule {}
