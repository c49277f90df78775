import type { OpenEventStore } from '@app/adapters/event-store-db';
import { openKeyUses, type ReadModelDatabase } from '@app/adapters/read-model-postgres';
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
  TenantStore,
} from '@app/application';
import type { Clock, KeyUses, ReadModels } from '@app/ports';
import { Module, type Type } from '@nestjs/common';
import { CqrsModule } from '@nestjs/cqrs';
import type { AppConfig } from '../../config.js';
import {
  APP_CONFIG,
  CLOCK,
  DATABASE,
  EVENT_STORE,
  KEY_USES,
  ON_PROBLEM,
  READ_MODELS,
} from '../../symbols.js';
import { DatabaseModule } from '../database.module.js';
import { EventStoreModule } from '../event-store.module.js';
import { ReadModelsModule } from '../read-models.module.js';
import type { OnProblem } from '../settings.module.js';
import { ceilingsOf } from './limit-settings.js';

/** Handlers that decide for a tenant, some by the time of day. */
const handler = (provide: Type) => ({
  provide,
  useFactory: (tenants: TenantStore, clock: Clock) => new provide(tenants, clock),
  inject: [TenantStore, CLOCK],
});

/** Handlers of limits, which know the operator's ceilings. */
const limitHandler = (provide: Type) => ({
  provide,
  useFactory: (tenants: TenantStore, config: AppConfig) => new provide(tenants, ceilingsOf(config)),
  inject: [TenantStore, APP_CONFIG],
});

/** Commands on tenants, over the bus. */
@Module({
  imports: [CqrsModule, EventStoreModule, DatabaseModule, ReadModelsModule],
  providers: [
    {
      provide: TenantStore,
      useFactory: ({ tenantLog }: OpenEventStore) => new TenantStore(tenantLog),
      inject: [EVENT_STORE],
    },
    {
      provide: RecordAuditReadHandler,
      useFactory: ({ tenantLog }: OpenEventStore) => new RecordAuditReadHandler(tenantLog),
      inject: [EVENT_STORE],
    },
    {
      provide: RecordContentReadHandler,
      useFactory: ({ tenantLog }: OpenEventStore, clock: Clock) =>
        new RecordContentReadHandler(tenantLog, clock),
      inject: [EVENT_STORE, CLOCK],
    },
    {
      provide: ListTenantsHandler,
      useFactory: (readModels: ReadModels) => new ListTenantsHandler(readModels),
      inject: [READ_MODELS],
    },
    {
      provide: KEY_USES,
      useFactory: (database: ReadModelDatabase): KeyUses => openKeyUses(database),
      inject: [DATABASE],
    },
    {
      provide: KeyDirectory,
      useFactory: (
        { subscriptions }: OpenEventStore,
        tenants: TenantStore,
        clock: Clock,
        onProblem: OnProblem,
      ) => {
        const directory = new KeyDirectory({ subscriptions, clock, onError: onProblem('key-directory') });
        tenants.onRecorded((tenant, events) => directory.hear(tenant, events));
        return directory;
      },
      inject: [EVENT_STORE, TenantStore, CLOCK, ON_PROBLEM],
    },
    {
      provide: ListApiKeysHandler,
      useFactory: (tenants: TenantStore, uses: KeyUses, clock: Clock) =>
        new ListApiKeysHandler(tenants, uses, clock),
      inject: [TenantStore, KEY_USES, CLOCK],
    },
    limitHandler(GetLimitsHandler),
    handler(RegisterTenantHandler),
    handler(IssueApiKeyHandler),
    handler(RotateApiKeyHandler),
    handler(RevokeApiKeyHandler),
    limitHandler(ChangeLimitsHandler),
    handler(GetSummarizersHandler),
    handler(ConfigureSummarizersHandler),
    handler(RegisterPromptHandler),
    handler(ListOwnPromptsHandler),
    handler(ShowOwnPromptHandler),
  ],
  exports: [TenantStore, KeyDirectory, KEY_USES],
})
export class TenantsModule {}
