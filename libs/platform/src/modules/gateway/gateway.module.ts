import type { OpenEventStore } from '@app/adapters/event-store-db';
import { openConversations, type ReadModelDatabase } from '@app/adapters/read-model-postgres';
import { httpUpstream } from '@app/adapters/upstream-http';
import { Gateway, SessionStore } from '@app/application';
import { Module } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import type { AppConfig } from '../../config.js';
import { APP_CONFIG, DATABASE, EVENT_STORE, ON_PROBLEM } from '../../symbols.js';
import { DatabaseModule } from '../database.module.js';
import { EventStoreModule } from '../event-store.module.js';
import { SessionsModule } from '../sessions.module.js';
import type { OnProblem } from '../settings.module.js';

const gateway = (
  sessions: SessionStore,
  commands: CommandBus,
  { log }: OpenEventStore,
  database: ReadModelDatabase,
  config: AppConfig,
  onProblem: OnProblem,
): Gateway => {
  const servers = {
    anthropic: config.PALIMPSEST_GATEWAY_ANTHROPIC,
    openai: config.PALIMPSEST_GATEWAY_OPENAI,
  };
  return new Gateway({
    ...{ sessions, log, commands },
    conversations: openConversations(database),
    upstream: httpUpstream({ servers, readSecret: async () => undefined }),
    onProblem: onProblem('gateway'),
  });
};

/** What serves clients that know their provider alone. */
@Module({
  imports: [SessionsModule, EventStoreModule, DatabaseModule],
  providers: [
    {
      provide: Gateway,
      useFactory: gateway,
      inject: [SessionStore, CommandBus, EVENT_STORE, DATABASE, APP_CONFIG, ON_PROBLEM],
    },
  ],
  exports: [Gateway],
})
export class GatewayModule {}
