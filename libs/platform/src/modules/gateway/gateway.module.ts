import { openConversations } from '@app/adapters/read-model-postgres';
import { Gateway, Recall, SessionStore } from '@app/application';
import { Module } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { factoryProvider } from '../../providers.js';
import {
  CLOCK,
  DATABASE,
  EVENT_LOG,
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
import { UpstreamModule } from './upstream.module.js';

const NEEDS = {
  sessions: SessionStore,
  commands: CommandBus,
  queries: QueryBus,
  log: EVENT_LOG,
  database: DATABASE,
  upstream: UPSTREAM,
  counter: TOKEN_COUNTER,
  models: MODEL_REGISTRY,
  clock: CLOCK,
  onProblem: ON_PROBLEM,
} as const;

/** Serves clients of provider APIs. */
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
    factoryProvider(
      Gateway,
      NEEDS,
      ({ queries, database, onProblem, ...parts }) =>
        new Gateway({
          ...parts,
          conversations: openConversations(database),
          recall: (ref, input) => queries.execute(new Recall(ref, input)),
          onProblem: onProblem('gateway'),
        }),
    ),
  ],
  exports: [Gateway],
})
export class GatewayModule {}
