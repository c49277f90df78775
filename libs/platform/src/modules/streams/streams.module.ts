import type { OpenEventStore } from '@app/adapters/event-store-db';
import { auditPayload } from '@app/adapters/read-model-postgres';
import { EventHub } from '@app/application';
import { Module } from '@nestjs/common';
import type { Closers } from '../../closers.js';
import type { AppConfig } from '../../config.js';
import { APP_CONFIG, CLOSERS, EVENT_HUB, EVENT_STORE, ON_PROBLEM } from '../../symbols.js';
import { EventStoreModule } from '../event-store.module.js';
import type { OnProblem } from '../settings.module.js';

/** Held of all tenants that have readers, in equal shares: what a reader may be behind before it is cut off. */
const BOUNDS = { events: 16_384, characters: 32_000_000 };

const hub = (
  config: AppConfig,
  { subscriptions }: OpenEventStore,
  onProblem: OnProblem,
  closers: Closers,
): EventHub => {
  const made = new EventHub({
    subscriptions,
    factsOf: auditPayload,
    readersMax: config.PALIMPSEST_STREAM_READERS_MAX,
    bounds: BOUNDS,
    onError: onProblem('stream'),
  });
  closers.add(() => made.close());
  return made;
};

/** What feeds those who read along over HTTP. */
@Module({
  imports: [EventStoreModule],
  providers: [
    { provide: EVENT_HUB, useFactory: hub, inject: [APP_CONFIG, EVENT_STORE, ON_PROBLEM, CLOSERS] },
  ],
  exports: [EVENT_HUB],
})
export class StreamsModule {}
