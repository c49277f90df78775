import type { OpenEventStore } from '@app/adapters/event-store-db';
import { openConversations, type ReadModelDatabase } from '@app/adapters/read-model-postgres';
import { Gateway, Recall, SessionStore } from '@app/application';
import type { Clock, ModelRegistry, TokenCounter, Upstream } from '@app/ports';
import { Module } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import {
  CLOCK,
  DATABASE,
  EVENT_STORE,
  MODEL_REGISTRY,
  ON_PROBLEM,
  TOKEN_COUNTER,
  UPSTREAM,
} from '../../symbols.js';
import { DatabaseModule } from '../database.module.js';
import { EventStoreModule } from '../event-store.module.js';
import { ModelsModule } from '../models/models.module.js';
import { TokenCounterModule } from '../models/token-counter.module.js';
import { SessionsModule } from '../sessions.module.js';
import type { OnProblem } from '../settings.module.js';
import { UpstreamModule } from './upstream.module.js';

const gateway = (
  sessions: SessionStore,
  commands: CommandBus,
  queries: QueryBus,
  { log }: OpenEventStore,
  database: ReadModelDatabase,
  upstream: Upstream,
  counter: TokenCounter,
  models: ModelRegistry,
  clock: Clock,
  onProblem: OnProblem,
): Gateway =>
  new Gateway({
    ...{ sessions, log, commands, counter, models, clock, upstream },
    conversations: openConversations(database),
    recall: (ref, input) => queries.execute(new Recall(ref, input)),
    onProblem: onProblem('gateway'),
  });

/** What serves clients that know their provider alone. */
@Module({
  imports: [
    SessionsModule,
    EventStoreModule,
    DatabaseModule,
    UpstreamModule,
    ModelsModule,
    TokenCounterModule,
  ],
  providers: [
    {
      provide: Gateway,
      useFactory: gateway,
      inject: [
        SessionStore,
        CommandBus,
        QueryBus,
        EVENT_STORE,
        DATABASE,
        UPSTREAM,
        TOKEN_COUNTER,
        MODEL_REGISTRY,
        CLOCK,
        ON_PROBLEM,
      ],
    },
  ],
  exports: [Gateway],
})
export class GatewayModule {}
