import { openKeyUses } from '@app/adapters/read-model-postgres';
import { KeyDirectory, TenantStore } from '@app/application';
import { Module } from '@nestjs/common';
import { CqrsModule } from '@nestjs/cqrs';
import { classProvider, factoryProvider } from '../../providers.js';
import { CLOCK, DATABASE, KEY_USES, ON_PROBLEM, SUBSCRIPTIONS, TENANT_LOG } from '../../symbols.js';
import { DatabaseModule } from '../database.module.js';
import { EventStoreModule } from '../event-store.module.js';
import { ReadModelsModule } from '../read-models.module.js';
import { SecretBoxModule } from '../secrets/secret-box.module.js';

const DIRECTORY = {
  subscriptions: SUBSCRIPTIONS,
  tenants: TenantStore,
  clock: CLOCK,
  onProblem: ON_PROBLEM,
} as const;

/** Commands and queries on tenants, and the directory of API keys. */
@Module({
  imports: [CqrsModule, EventStoreModule, DatabaseModule, ReadModelsModule, SecretBoxModule],
  providers: [
    classProvider(TenantStore, TENANT_LOG),
    factoryProvider(KEY_USES, { database: DATABASE }, ({ database }) => openKeyUses(database)),
    factoryProvider(KeyDirectory, DIRECTORY, ({ subscriptions, tenants, clock, onProblem }) => {
      const directory = new KeyDirectory({ subscriptions, clock, onError: onProblem('key-directory') });
      tenants.onRecorded((tenant, events) => directory.hear(tenant, events));
      return directory;
    }),
  ],
  exports: [TenantStore, KeyDirectory, KEY_USES],
})
export class TenantsModule {}
