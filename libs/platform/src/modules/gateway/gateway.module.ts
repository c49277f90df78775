import type { OpenEventStore } from '@app/adapters/event-store-db';
import { openConversations, type ReadModelDatabase } from '@app/adapters/read-model-postgres';
import { httpUpstream } from '@app/adapters/upstream-http';
import { Gateway, SessionStore } from '@app/application';
import { AppError, SecretName } from '@app/kernel';
import type { Clock, ModelRegistry, ReadSecret, SecretStore, TokenCounter } from '@app/ports';
import { Module } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import type { AppConfig } from '../../config.js';
import {
  APP_CONFIG,
  CLOCK,
  DATABASE,
  EVENT_STORE,
  MODEL_REGISTRY,
  ON_PROBLEM,
  SECRET_STORE,
  TOKEN_COUNTER,
} from '../../symbols.js';
import { DatabaseModule } from '../database.module.js';
import { EventStoreModule } from '../event-store.module.js';
import { ModelsModule } from '../models/models.module.js';
import { TokenCounterModule } from '../models/token-counter.module.js';
import { SecretsModule } from '../secrets/secrets.module.js';
import { SessionsModule } from '../sessions.module.js';
import type { OnProblem } from '../settings.module.js';

const gateway = (
  sessions: SessionStore,
  commands: CommandBus,
  { log }: OpenEventStore,
  database: ReadModelDatabase,
  secrets: SecretStore,
  counter: TokenCounter,
  models: ModelRegistry,
  clock: Clock,
  config: AppConfig,
  onProblem: OnProblem,
): Gateway => {
  const servers = {
    anthropic: config.PALIMPSEST_GATEWAY_ANTHROPIC,
    openai: config.PALIMPSEST_GATEWAY_OPENAI,
  };
  return new Gateway({
    ...{ sessions, log, commands, counter, models, clock },
    conversations: openConversations(database),
    upstream: httpUpstream({ servers, readSecret: reading(secrets) }),
    onProblem: onProblem('gateway'),
  });
};

const reading =
  (secrets: SecretStore): ReadSecret =>
  async (tenant, name) => {
    try {
      return await secrets.read(tenant, SecretName(name));
    } catch (error) {
      if (error instanceof AppError && error.code === 'secret-not-found') return undefined;
      throw error;
    }
  };

/** What serves clients that know their provider alone. */
@Module({
  imports: [
    SessionsModule,
    EventStoreModule,
    DatabaseModule,
    SecretsModule,
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
        EVENT_STORE,
        DATABASE,
        SECRET_STORE,
        TOKEN_COUNTER,
        MODEL_REGISTRY,
        CLOCK,
        APP_CONFIG,
        ON_PROBLEM,
      ],
    },
  ],
  exports: [Gateway],
})
export class GatewayModule {}
