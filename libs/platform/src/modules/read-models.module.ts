import type { OpenEventStore } from '@app/adapters/event-store-db';
import {
  openIdempotencyKeys,
  openProjector,
  openReadModels,
  type ReadModelDatabase,
} from '@app/adapters/read-model-postgres';
import type { IdempotencyKeys, Projector, ReadModels } from '@app/ports';
import { Module } from '@nestjs/common';
import {
  DATABASE,
  EVENT_STORE,
  IDEMPOTENCY_KEYS,
  METRICS,
  ON_PROBLEM,
  PROJECTOR,
  READ_MODELS,
} from '../symbols.js';
import type { Metrics } from '../telemetry/metrics.js';
import { projectorObserver } from '../telemetry/telemetry.js';
import { DatabaseModule } from './database.module.js';
import { EventStoreModule } from './event-store.module.js';
import type { OnProblem } from './settings.module.js';

const projector = (
  database: ReadModelDatabase,
  { subscriptions }: OpenEventStore,
  onProblem: OnProblem,
  metrics: Metrics,
): Projector => {
  const observer = projectorObserver(metrics);
  return openProjector({ database, subscriptions, observer, onError: onProblem('projector') });
};

/** What Postgres knows of the log, what keeps it up to date, and of which requests it knows. */
@Module({
  imports: [DatabaseModule, EventStoreModule],
  providers: [
    {
      provide: READ_MODELS,
      useFactory: (database: ReadModelDatabase): ReadModels => openReadModels(database),
      inject: [DATABASE],
    },
    {
      provide: IDEMPOTENCY_KEYS,
      useFactory: (database: ReadModelDatabase): IdempotencyKeys => openIdempotencyKeys(database),
      inject: [DATABASE],
    },
    { provide: PROJECTOR, useFactory: projector, inject: [DATABASE, EVENT_STORE, ON_PROBLEM, METRICS] },
  ],
  exports: [READ_MODELS, IDEMPOTENCY_KEYS, PROJECTOR],
})
export class ReadModelsModule {}
