import {
  ContributionCollector,
  OutcomeWaiter,
  RequestComposer,
  RequestCounts,
  RetentionDefaults,
  SessionStore,
  TenantStore,
  TranscriptImporter,
} from '@app/application';
import { Module } from '@nestjs/common';
import { CommandBus, CqrsModule } from '@nestjs/cqrs';
import { classProvider, factoryProvider } from '../providers.js';
import {
  CLOCK,
  CONTEXT_PROVIDERS,
  EVENT_LOG,
  MODEL_REGISTRY,
  SUBSCRIPTIONS,
  SUMMARIZERS,
  TOKEN_COUNTER,
} from '../symbols.js';
import { EventStoreModule } from './event-store.module.js';
import { UpstreamModule } from './gateway/upstream.module.js';
import { ModelsModule } from './models/models.module.js';
import { TokenCounterModule } from './models/token-counter.module.js';
import { ReadModelsModule } from './read-models.module.js';
import { SecretBoxModule } from './secrets/secret-box.module.js';
import { SummarizersModule } from './summarizers/summarizers.module.js';
import { TenantsModule } from './tenants/tenants.module.js';

const IMPORTER = {
  sessions: SessionStore,
  commands: CommandBus,
  outcomes: OutcomeWaiter,
  log: EVENT_LOG,
  counter: TOKEN_COUNTER,
  models: MODEL_REGISTRY,
  clock: CLOCK,
} as const;
const COMPOSING = [
  SessionStore,
  OutcomeWaiter,
  ContributionCollector,
  CLOCK,
  RequestCounts,
  SUMMARIZERS,
  TOKEN_COUNTER,
] as const;

/** Sessions: their store, the composition of requests, and the import of transcripts. */
@Module({
  imports: [
    CqrsModule,
    EventStoreModule,
    ModelsModule,
    ReadModelsModule,
    SecretBoxModule,
    SummarizersModule,
    TenantsModule,
    TokenCounterModule,
    UpstreamModule,
  ],
  providers: [
    classProvider(SessionStore, EVENT_LOG),
    classProvider(OutcomeWaiter, SessionStore, EVENT_LOG, SUBSCRIPTIONS),
    factoryProvider(TranscriptImporter, IMPORTER, (parts) => new TranscriptImporter(parts)),
    classProvider(RetentionDefaults, TenantStore),
    classProvider(ContributionCollector, CONTEXT_PROVIDERS, TOKEN_COUNTER),
    classProvider(RequestComposer, ...COMPOSING),
  ],
  exports: [CqrsModule, SessionStore, OutcomeWaiter, RequestComposer, RetentionDefaults, TranscriptImporter],
})
export class SessionsModule {}
