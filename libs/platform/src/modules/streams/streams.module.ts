import { auditPayload } from '@app/adapters/read-model-postgres';
import { EventHub } from '@app/application';
import { Module } from '@nestjs/common';
import { factoryProvider } from '../../providers.js';
import { APP_CONFIG, CLOSERS, EVENT_HUB, ON_PROBLEM, SUBSCRIPTIONS } from '../../symbols.js';
import { EventStoreModule } from '../event-store.module.js';

/** Buffer for the readers of all tenants, in equal shares; slower readers are disconnected. */
const BOUNDS = { events: 16_384, characters: 32_000_000 };

const NEEDS = {
  config: APP_CONFIG,
  subscriptions: SUBSCRIPTIONS,
  onProblem: ON_PROBLEM,
  closers: CLOSERS,
} as const;

/** Feeds the readers of event streams over HTTP. */
@Module({
  imports: [EventStoreModule],
  providers: [
    factoryProvider(EVENT_HUB, NEEDS, ({ config, subscriptions, onProblem, closers }) => {
      const hub = new EventHub({
        subscriptions,
        factsOf: auditPayload,
        readersMax: config.PALIMPSEST_STREAM_READERS_MAX,
        bounds: BOUNDS,
        onError: onProblem('stream'),
      });
      closers.add(() => hub.close());
      return hub;
    }),
  ],
  exports: [EVENT_HUB],
})
export class StreamsModule {}
