import { openSecretStore } from '@app/adapters/read-model-postgres';
import { Module } from '@nestjs/common';
import { CqrsModule } from '@nestjs/cqrs';
import { factoryProvider } from '../../providers.js';
import { DATABASE, SECRET_BOX, SECRET_STORE } from '../../symbols.js';
import { DatabaseModule } from '../database.module.js';
import { TenantsModule } from '../tenants/tenants.module.js';
import { SecretBoxModule } from './secret-box.module.js';

/** Named secrets of tenants, sealed. */
@Module({
  imports: [CqrsModule, SecretBoxModule, DatabaseModule, TenantsModule],
  providers: [
    factoryProvider(SECRET_STORE, { database: DATABASE, box: SECRET_BOX }, ({ database, box }) =>
      openSecretStore(database, box),
    ),
  ],
  exports: [SecretBoxModule, SECRET_STORE],
})
export class SecretsModule {}
