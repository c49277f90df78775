import {
  AppendConversationHandler,
  AppendMessagesHandler,
  CancelCompactionHandler,
  ChangeSettingsHandler,
  CheckBudgetHandler,
  CloseSessionHandler,
  CompleteTurnHandler,
  ComposeForClientHandler,
  ComposeRequestHandler,
  ContributionCollector,
  DeferCompactionsHandler,
  DiffContextsHandler,
  ExplainCompactionHandler,
  ForkSessionHandler,
  GetContextHandler,
  OpenChildSessionHandler,
  OpenSessionHandler,
  OutcomeWaiter,
  PinContentHandler,
  PlanCompactionHandler,
  ReadMessageHandler,
  ReadSessionHandler,
  RecallHandler,
  ReleaseCompactionsHandler,
  ReportEditsHandler,
  ReportOverflowHandler,
  ReportUsageHandler,
  RequestCompactionHandler,
  RequestCounts,
  ResetSessionHandler,
  RetryProjectionHandler,
  RevertCompactionHandler,
  SessionStore,
  ShowSessionHandler,
  SkipProjectionHandler,
  TraceMessageHandler,
  TranscriptImporter,
  UnpinContentHandler,
  WhatIfHandler,
} from '@app/application';
import { Module } from '@nestjs/common';
import { CommandBus, CqrsModule } from '@nestjs/cqrs';
import { classProvider, factoryProvider } from '../providers.js';
import {
  CLOCK,
  CONTEXT_PROVIDERS,
  EVENT_LOG,
  MODEL_REGISTRY,
  MODELLESS_SUMMARIZER,
  PROJECTOR,
  READ_MODELS,
  SUBSCRIPTIONS,
  SUMMARIZERS,
  TENANT_LOG,
  TOKEN_COUNTER,
} from '../symbols.js';
import { EventStoreModule } from './event-store.module.js';
import { UpstreamModule } from './gateway/upstream.module.js';
import { ModelsModule } from './models/models.module.js';
import { TokenCounterModule } from './models/token-counter.module.js';
import { ReadModelsModule } from './read-models.module.js';
import { SummarizersModule } from './summarizers/summarizers.module.js';

const IMPORTER = {
  sessions: SessionStore,
  commands: CommandBus,
  outcomes: OutcomeWaiter,
  log: EVENT_LOG,
  counter: TOKEN_COUNTER,
  models: MODEL_REGISTRY,
  clock: CLOCK,
} as const;
const CONVERSATION = {
  sessions: SessionStore,
  log: EVENT_LOG,
  commands: CommandBus,
  counter: TOKEN_COUNTER,
  models: MODEL_REGISTRY,
  clock: CLOCK,
  summarizers: SUMMARIZERS,
} as const;
const INDEXED = { sessions: SessionStore, log: EVENT_LOG, index: READ_MODELS } as const;
const SKIPPING = {
  sessions: SessionStore,
  log: EVENT_LOG,
  tenantLog: TENANT_LOG,
  readModels: READ_MODELS,
  projector: PROJECTOR,
} as const;
/** The tokens of a handler that composes requests. */
const COMPOSING = [
  SessionStore,
  OutcomeWaiter,
  ContributionCollector,
  CLOCK,
  RequestCounts,
  SUMMARIZERS,
  TOKEN_COUNTER,
] as const;

/** Commands and queries on sessions, over the buses. */
@Module({
  imports: [
    CqrsModule,
    EventStoreModule,
    ModelsModule,
    ReadModelsModule,
    SummarizersModule,
    TokenCounterModule,
    UpstreamModule,
  ],
  providers: [
    classProvider(SessionStore, EVENT_LOG),
    classProvider(OutcomeWaiter, SessionStore, EVENT_LOG, SUBSCRIPTIONS),
    factoryProvider(TranscriptImporter, IMPORTER, (parts) => new TranscriptImporter(parts)),
    factoryProvider(AppendConversationHandler, CONVERSATION, (parts) => new AppendConversationHandler(parts)),
    classProvider(ReadSessionHandler, EVENT_LOG),
    factoryProvider(SkipProjectionHandler, SKIPPING, (parts) => new SkipProjectionHandler(parts)),
    classProvider(RetryProjectionHandler, READ_MODELS, PROJECTOR),
    classProvider(OpenSessionHandler, SessionStore, TOKEN_COUNTER, MODEL_REGISTRY, CLOCK),
    classProvider(OpenChildSessionHandler, SessionStore, TOKEN_COUNTER, MODEL_REGISTRY, CLOCK),
    classProvider(AppendMessagesHandler, SessionStore, TOKEN_COUNTER, MODEL_REGISTRY, CLOCK, EVENT_LOG),
    classProvider(ReportUsageHandler, SessionStore, MODEL_REGISTRY, CLOCK, EVENT_LOG),
    classProvider(CompleteTurnHandler, SessionStore),
    classProvider(CheckBudgetHandler, SessionStore, CLOCK),
    classProvider(RequestCompactionHandler, SessionStore),
    classProvider(CancelCompactionHandler, SessionStore),
    classProvider(DeferCompactionsHandler, SessionStore),
    classProvider(ReleaseCompactionsHandler, SessionStore),
    classProvider(RevertCompactionHandler, SessionStore),
    classProvider(ResetSessionHandler, SessionStore, CLOCK),
    classProvider(ChangeSettingsHandler, SessionStore, MODEL_REGISTRY, TOKEN_COUNTER),
    classProvider(PinContentHandler, SessionStore, TOKEN_COUNTER),
    classProvider(UnpinContentHandler, SessionStore),
    classProvider(CloseSessionHandler, SessionStore, TOKEN_COUNTER),
    classProvider(ForkSessionHandler, SessionStore, CLOCK),
    classProvider(ContributionCollector, CONTEXT_PROVIDERS, TOKEN_COUNTER),
    classProvider(ComposeRequestHandler, ...COMPOSING),
    classProvider(ReportEditsHandler, SessionStore, MODEL_REGISTRY, CLOCK),
    classProvider(ComposeForClientHandler, ...COMPOSING),
    classProvider(ReportOverflowHandler, SessionStore, OutcomeWaiter, CLOCK, SUMMARIZERS),
    classProvider(GetContextHandler, SessionStore),
    classProvider(ShowSessionHandler, SessionStore),
    classProvider(PlanCompactionHandler, SessionStore),
    classProvider(WhatIfHandler, SessionStore, MODELLESS_SUMMARIZER, TOKEN_COUNTER),
    classProvider(DiffContextsHandler, SessionStore),
    classProvider(ExplainCompactionHandler, SessionStore, EVENT_LOG),
    factoryProvider(ReadMessageHandler, INDEXED, (parts) => new ReadMessageHandler(parts)),
    factoryProvider(RecallHandler, INDEXED, (parts) => new RecallHandler(parts)),
    classProvider(TraceMessageHandler, SessionStore, EVENT_LOG),
  ],
  exports: [CqrsModule, SessionStore, OutcomeWaiter, TranscriptImporter],
})
export class SessionsModule {}
