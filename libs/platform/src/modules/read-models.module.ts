import { openIdempotencyKeys, openProjector, openReadModels } from '@app/adapters/read-model-postgres';
import { Module } from '@nestjs/common';
import { factoryProvider } from '../providers.js';
import { currentRows } from '../recent/current-rows.js';
import { RecentEvents } from '../recent/recent-events.js';
import {
  CONTENT_KEYS,
  DATABASE,
  IDEMPOTENCY_KEYS,
  METRICS,
  ON_PROBLEM,
  PROJECTOR,
  READ_MODELS,
  SUBSCRIPTIONS,
} from '../symbols.js';
import { projectorObserver } from '../telemetry/telemetry.js';
import { DatabaseModule } from './database.module.js';
import { EventStoreModule } from './event-store.module.js';
import { SecretBoxModule } from './secrets/secret-box.module.js';

/** The read models in PostgreSQL, the projector that writes them, and the idempotency keys of requests. */
@Module({
  imports: [DatabaseModule, EventStoreModule, SecretBoxModule],
  providers: [
    factoryProvider(
      READ_MODELS,
      {
        database: DATABASE,
        keys: CONTENT_KEYS,
        recent: RecentEvents,
        ...{ projector: PROJECTOR, subscriptions: SUBSCRIPTIONS },
      },
      ({ database, keys, ...parts }) => currentRows(openReadModels(database, keys), parts),
    ),
    factoryProvider(IDEMPOTENCY_KEYS, { database: DATABASE }, ({ database }) =>
      openIdempotencyKeys(database),
    ),
    factoryProvider(
      PROJECTOR,
      {
        database: DATABASE,
        subscriptions: SUBSCRIPTIONS,
        keys: CONTENT_KEYS,
        ...{ onProblem: ON_PROBLEM, metrics: METRICS },
      },
      ({ database, subscriptions, keys, onProblem, metrics }) =>
        openProjector({
          database,
          subscriptions,
          digests: keys,
          observer: projectorObserver(metrics),
          onError: onProblem('projector'),
        }),
    ),
  ],
  exports: [READ_MODELS, IDEMPOTENCY_KEYS, PROJECTOR],
})
export class ReadModelsModule {}
