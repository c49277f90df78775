import { openConversations } from '@app/adapters/read-model-postgres';
import { FailOpen, Gateway, Recall, SessionStore } from '@app/application';
import { OPERATOR_TENANT } from '@app/domain';
import { Module } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { factoryProvider } from '../../providers.js';
import {
  APP_CONFIG,
  CLOCK,
  CONTENT_KEYS,
  DATABASE,
  EVENT_LOG,
  METRICS,
  MODEL_REGISTRY,
  ON_PROBLEM,
  SUBSCRIPTIONS,
  TOKEN_COUNTER,
  UPSTREAM,
} from '../../symbols.js';
import { DatabaseModule } from '../database.module.js';
import { EventStoreModule } from '../event-store.module.js';
import { ModelsModule } from '../models/models.module.js';
import { TokenCounterModule } from '../models/token-counter.module.js';
import { SecretBoxModule } from '../secrets/secret-box.module.js';
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
  config: APP_CONFIG,
  subscriptions: SUBSCRIPTIONS,
  metrics: METRICS,
  keyed: CONTENT_KEYS,
} as const;

/** Serves clients of provider APIs. */
@Module({
  imports: [
    SessionsModule,
    EventStoreModule,
    DatabaseModule,
    SecretBoxModule,
    UpstreamModule,
    ModelsModule,
    TokenCounterModule,
  ],
  providers: [
    factoryProvider(
      Gateway,
      NEEDS,
      ({ queries, database, onProblem, config, subscriptions, metrics, ...parts }) => {
        const conversations = openConversations(database);
        const afterMs = config.PALIMPSEST_GATEWAY_FAIL_OPEN_MS;
        const failOpen = {
          afterMs,
          probes: [
            { code: 'event-store-unavailable', ask: () => subscriptions.head() },
            { code: 'postgres-unavailable', ask: () => conversations.named(OPERATOR_TENANT, ['probe']) },
          ],
          onProblem: onProblem('gateway'),
          onUnrecorded: (code: string) => metrics.unrecordedRequests.inc({ code }),
        } as const;
        const gateway = new Gateway({
          ...parts,
          conversations,
          recall: (ref, input) => queries.execute(new Recall(ref, input)),
          onProblem: onProblem('gateway'),
          ...(afterMs > 0 && { failOpen: new FailOpen(failOpen) }),
        });
        parts.keyed.onEvicted(() => gateway.histories.forget());
        return gateway;
      },
    ),
  ],
  exports: [Gateway],
})
export class GatewayModule {}
