import type { OpenEventStore } from '@app/adapters/event-store-db';
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
import type { Clock, ModelRegistry, Projector, ReadModels, SummarizerChoice, TokenCounter } from '@app/ports';
import { Module, type Type } from '@nestjs/common';
import { CommandBus, CqrsModule } from '@nestjs/cqrs';
import {
  CLOCK,
  CONTEXT_PROVIDERS,
  EVENT_STORE,
  MODEL_REGISTRY,
  MODELLESS_SUMMARIZER,
  PROJECTOR,
  READ_MODELS,
  SUMMARIZERS,
  TOKEN_COUNTER,
} from '../symbols.js';
import { EventStoreModule } from './event-store.module.js';
import { UpstreamModule } from './gateway/upstream.module.js';
import { ModelsModule } from './models/models.module.js';
import { TokenCounterModule } from './models/token-counter.module.js';
import { ReadModelsModule } from './read-models.module.js';
import { SummarizersModule } from './summarizers/summarizers.module.js';

/** A handler that Nest builds from what it names: the application knows nothing of Nest's injection. */
const handler = (provide: Type, ...inject: (Type | symbol)[]) => ({
  provide,
  useFactory: (...parts: unknown[]) => new provide(...parts),
  inject,
});

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
    {
      provide: SessionStore,
      useFactory: ({ log }: OpenEventStore) => new SessionStore(log),
      inject: [EVENT_STORE],
    },
    {
      provide: OutcomeWaiter,
      useFactory: (sessions: SessionStore, { log, subscriptions }: OpenEventStore) =>
        new OutcomeWaiter(sessions, log, subscriptions),
      inject: [SessionStore, EVENT_STORE],
    },
    {
      provide: TranscriptImporter,
      useFactory: (
        sessions: SessionStore,
        commands: CommandBus,
        outcomes: OutcomeWaiter,
        { log }: OpenEventStore,
        counter: TokenCounter,
        models: ModelRegistry,
        clock: Clock,
      ) => new TranscriptImporter({ sessions, commands, outcomes, log, counter, models, clock }),
      inject: [SessionStore, CommandBus, OutcomeWaiter, EVENT_STORE, TOKEN_COUNTER, MODEL_REGISTRY, CLOCK],
    },
    {
      provide: AppendConversationHandler,
      useFactory: (
        sessions: SessionStore,
        { log }: OpenEventStore,
        commands: CommandBus,
        counter: TokenCounter,
        models: ModelRegistry,
        clock: Clock,
        summarizers: SummarizerChoice,
      ) => new AppendConversationHandler({ sessions, log, commands, counter, models, clock, summarizers }),
      inject: [SessionStore, EVENT_STORE, CommandBus, TOKEN_COUNTER, MODEL_REGISTRY, CLOCK, SUMMARIZERS],
    },
    {
      provide: ReadSessionHandler,
      useFactory: ({ log }: OpenEventStore) => new ReadSessionHandler(log),
      inject: [EVENT_STORE],
    },
    {
      provide: SkipProjectionHandler,
      useFactory: (
        sessions: SessionStore,
        { log, tenantLog }: OpenEventStore,
        readModels: ReadModels,
        projector: Projector,
      ) => new SkipProjectionHandler({ sessions, log, tenantLog, readModels, projector }),
      inject: [SessionStore, EVENT_STORE, READ_MODELS, PROJECTOR],
    },
    handler(RetryProjectionHandler, READ_MODELS, PROJECTOR),
    handler(OpenSessionHandler, SessionStore, TOKEN_COUNTER, MODEL_REGISTRY, CLOCK),
    handler(OpenChildSessionHandler, SessionStore, TOKEN_COUNTER, MODEL_REGISTRY, CLOCK),
    {
      provide: AppendMessagesHandler,
      useFactory: (
        sessions: SessionStore,
        { log }: OpenEventStore,
        counter: TokenCounter,
        models: ModelRegistry,
        clock: Clock,
      ) => new AppendMessagesHandler(sessions, counter, models, clock, log),
      inject: [SessionStore, EVENT_STORE, TOKEN_COUNTER, MODEL_REGISTRY, CLOCK],
    },
    {
      provide: ReportUsageHandler,
      useFactory: (sessions: SessionStore, { log }: OpenEventStore, models: ModelRegistry, clock: Clock) =>
        new ReportUsageHandler(sessions, models, clock, log),
      inject: [SessionStore, EVENT_STORE, MODEL_REGISTRY, CLOCK],
    },
    handler(CompleteTurnHandler, SessionStore),
    handler(CheckBudgetHandler, SessionStore, CLOCK),
    handler(RequestCompactionHandler, SessionStore),
    handler(CancelCompactionHandler, SessionStore),
    handler(DeferCompactionsHandler, SessionStore),
    handler(ReleaseCompactionsHandler, SessionStore),
    handler(RevertCompactionHandler, SessionStore),
    handler(ResetSessionHandler, SessionStore, CLOCK),
    handler(ChangeSettingsHandler, SessionStore, MODEL_REGISTRY, TOKEN_COUNTER),
    handler(PinContentHandler, SessionStore, TOKEN_COUNTER),
    handler(UnpinContentHandler, SessionStore),
    handler(CloseSessionHandler, SessionStore, TOKEN_COUNTER),
    handler(ForkSessionHandler, SessionStore, CLOCK),
    handler(ContributionCollector, CONTEXT_PROVIDERS, TOKEN_COUNTER),
    handler(
      ComposeRequestHandler,
      SessionStore,
      OutcomeWaiter,
      ContributionCollector,
      CLOCK,
      RequestCounts,
      SUMMARIZERS,
      TOKEN_COUNTER,
    ),
    handler(ReportEditsHandler, SessionStore, MODEL_REGISTRY, CLOCK),
    handler(
      ComposeForClientHandler,
      SessionStore,
      OutcomeWaiter,
      ContributionCollector,
      CLOCK,
      RequestCounts,
      SUMMARIZERS,
      TOKEN_COUNTER,
    ),
    handler(ReportOverflowHandler, SessionStore, OutcomeWaiter, CLOCK, SUMMARIZERS),
    handler(GetContextHandler, SessionStore),
    handler(ShowSessionHandler, SessionStore),
    handler(PlanCompactionHandler, SessionStore),
    handler(WhatIfHandler, SessionStore, MODELLESS_SUMMARIZER, TOKEN_COUNTER),
    handler(DiffContextsHandler, SessionStore),
    {
      provide: ExplainCompactionHandler,
      useFactory: (sessions: SessionStore, { log }: OpenEventStore) =>
        new ExplainCompactionHandler(sessions, log),
      inject: [SessionStore, EVENT_STORE],
    },
    ...[ReadMessageHandler, RecallHandler].map((provide) => ({
      provide,
      useFactory: (sessions: SessionStore, { log }: OpenEventStore, index: ReadModels) =>
        new provide({ sessions, log, index }),
      inject: [SessionStore, EVENT_STORE, READ_MODELS],
    })),
    {
      provide: TraceMessageHandler,
      useFactory: (sessions: SessionStore, { log }: OpenEventStore) => new TraceMessageHandler(sessions, log),
      inject: [SessionStore, EVENT_STORE],
    },
  ],
  exports: [CqrsModule, SessionStore, OutcomeWaiter, TranscriptImporter],
})
export class SessionsModule {}
