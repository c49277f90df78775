import { openKeyUses } from '@app/adapters/read-model-postgres';
import {
  ChangeLimitsHandler,
  ConfigureSummarizersHandler,
  GetLimitsHandler,
  GetSummarizersHandler,
  IssueApiKeyHandler,
  KeyDirectory,
  ListApiKeysHandler,
  ListOwnPromptsHandler,
  ListTenantsHandler,
  RecordAuditReadHandler,
  RecordContentReadHandler,
  RegisterPromptHandler,
  RegisterTenantHandler,
  RevokeApiKeyHandler,
  RotateApiKeyHandler,
  ShowOwnPromptHandler,
  ShowTenantHandler,
  TenantStore,
} from '@app/application';
import { Module } from '@nestjs/common';
import { CqrsModule } from '@nestjs/cqrs';
import { classProvider, factoryProvider } from '../../providers.js';
import {
  APP_CONFIG,
  CLOCK,
  CONTENT_KEYS,
  DATABASE,
  KEY_USES,
  ON_PROBLEM,
  READ_MODELS,
  SUBSCRIPTIONS,
  TENANT_LOG,
} from '../../symbols.js';
import { DatabaseModule } from '../database.module.js';
import { EventStoreModule } from '../event-store.module.js';
import { ReadModelsModule } from '../read-models.module.js';
import { SecretBoxModule } from '../secrets/secret-box.module.js';
import { ceilingsOf } from './limit-settings.js';

const DIRECTORY = {
  subscriptions: SUBSCRIPTIONS,
  tenants: TenantStore,
  clock: CLOCK,
  onProblem: ON_PROBLEM,
} as const;
const LIMITS = { tenants: TenantStore, config: APP_CONFIG } as const;

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
    factoryProvider(
      GetLimitsHandler,
      LIMITS,
      ({ tenants, config }) => new GetLimitsHandler(tenants, ceilingsOf(config)),
    ),
    factoryProvider(
      ChangeLimitsHandler,
      LIMITS,
      ({ tenants, config }) => new ChangeLimitsHandler(tenants, ceilingsOf(config)),
    ),
    classProvider(RecordAuditReadHandler, TENANT_LOG, CONTENT_KEYS),
    classProvider(RecordContentReadHandler, TENANT_LOG, CLOCK),
    classProvider(ListTenantsHandler, READ_MODELS),
    classProvider(ShowTenantHandler, TenantStore, TENANT_LOG),
    classProvider(ListApiKeysHandler, TenantStore, KEY_USES, CLOCK),
    classProvider(RegisterTenantHandler, TenantStore, CLOCK),
    classProvider(IssueApiKeyHandler, TenantStore, CLOCK),
    classProvider(RotateApiKeyHandler, TenantStore, CLOCK),
    classProvider(RevokeApiKeyHandler, TenantStore, CLOCK),
    classProvider(GetSummarizersHandler, TenantStore),
    classProvider(ConfigureSummarizersHandler, TenantStore),
    classProvider(RegisterPromptHandler, TenantStore, CLOCK),
    classProvider(ListOwnPromptsHandler, TenantStore),
    classProvider(ShowOwnPromptHandler, TenantStore),
  ],
  exports: [TenantStore, KeyDirectory, KEY_USES],
})
export class TenantsModule {}
