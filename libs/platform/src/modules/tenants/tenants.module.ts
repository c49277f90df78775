import type { OpenEventStore } from '@app/adapters/event-store-db';
import {
  ChangeLimitsHandler,
  IssueApiKeyHandler,
  RecordAuditReadHandler,
  RegisterTenantHandler,
  RevokeApiKeyHandler,
  RotateApiKeyHandler,
  TenantStore,
} from '@app/application';
import type { Clock } from '@app/ports';
import { Module, type Type } from '@nestjs/common';
import { CqrsModule } from '@nestjs/cqrs';
import { CLOCK, EVENT_STORE } from '../../symbols.js';
import { EventStoreModule } from '../event-store.module.js';

/** Handlers that decide for a tenant, some by the time of day. */
const handler = (provide: Type) => ({
  provide,
  useFactory: (tenants: TenantStore, clock: Clock) => new provide(tenants, clock),
  inject: [TenantStore, CLOCK],
});

/** Commands on tenants, over the bus. */
@Module({
  imports: [CqrsModule, EventStoreModule],
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
    handler(RegisterTenantHandler),
    handler(IssueApiKeyHandler),
    handler(RotateApiKeyHandler),
    handler(RevokeApiKeyHandler),
    handler(ChangeLimitsHandler),
  ],
  exports: [TenantStore],
})
export class TenantsModule {}
