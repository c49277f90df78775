import { openSecretStore, type ReadModelDatabase, resealSecrets } from '@app/adapters/read-model-postgres';
import { openSecretBox } from '@app/adapters/secret-box';
import { ListSecretsHandler, PutSecretHandler, RemoveSecretHandler, TenantStore } from '@app/application';
import type { Clock, SecretBox, SecretStore } from '@app/ports';
import { Module } from '@nestjs/common';
import { CqrsModule } from '@nestjs/cqrs';
import type { AppConfig } from '../../config.js';
import type { Servers } from '../../servers/servers.js';
import { APP_CONFIG, CLOCK, DATABASE, ON_PROBLEM, SECRET_BOX, SECRET_STORE, SERVERS } from '../../symbols.js';
import { DatabaseModule } from '../database.module.js';
import { ServersModule } from '../servers.module.js';
import type { OnProblem } from '../settings.module.js';
import { TenantsModule } from '../tenants/tenants.module.js';
import { secretKeys } from './secret-keys.js';

/** Whatever is sealed with an older key, or not at all, is sealed with that of today before anything is used. */
const openBox = async (
  config: AppConfig,
  { ownFolder }: Servers,
  database: ReadModelDatabase,
  onProblem: OnProblem,
): Promise<SecretBox> => {
  const box = openSecretBox(await secretKeys(config, ownFolder));
  await resealSecrets(database, box, onProblem('secrets'));
  return box;
};

/** What is kept sealed: named secrets of tenants, over the bus and as a port, and the box for whoever keeps others. */
@Module({
  imports: [CqrsModule, ServersModule, DatabaseModule, TenantsModule],
  providers: [
    { provide: SECRET_BOX, useFactory: openBox, inject: [APP_CONFIG, SERVERS, DATABASE, ON_PROBLEM] },
    {
      provide: SECRET_STORE,
      useFactory: (database: ReadModelDatabase, box: SecretBox): SecretStore =>
        openSecretStore(database, box),
      inject: [DATABASE, SECRET_BOX],
    },
    {
      provide: PutSecretHandler,
      useFactory: (tenants: TenantStore, secrets: SecretStore, clock: Clock) =>
        new PutSecretHandler(tenants, secrets, clock),
      inject: [TenantStore, SECRET_STORE, CLOCK],
    },
    {
      provide: RemoveSecretHandler,
      useFactory: (tenants: TenantStore, secrets: SecretStore) => new RemoveSecretHandler(tenants, secrets),
      inject: [TenantStore, SECRET_STORE],
    },
    {
      provide: ListSecretsHandler,
      useFactory: (secrets: SecretStore) => new ListSecretsHandler(secrets),
      inject: [SECRET_STORE],
    },
  ],
  exports: [SECRET_BOX, SECRET_STORE],
})
export class SecretsModule {}
