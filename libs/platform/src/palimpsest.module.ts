import type { CompactionHook, ContextProvider, Subscriptions } from '@app/ports';
import {
  type DynamicModule,
  Inject,
  Module,
  type OnApplicationBootstrap,
  type OnApplicationShutdown,
} from '@nestjs/common';
import { EventBus } from '@nestjs/cqrs';
import { Closers } from './closers.js';
import type { AppConfig } from './config.js';
import { logProblem } from './log-problem.js';
import { ErasuresModule } from './modules/erasures.module.js';
import { EventStoreModule } from './modules/event-store.module.js';
import { GatewayModule } from './modules/gateway/gateway.module.js';
import { HandlersModule } from './modules/handlers.module.js';
import { ReadModelsModule } from './modules/read-models.module.js';
import { RetentionModule } from './modules/retention.module.js';
import { SecretBoxModule } from './modules/secrets/secret-box.module.js';
import { ServersModule } from './modules/servers.module.js';
import { SessionsModule } from './modules/sessions.module.js';
import { settingsModule } from './modules/settings.module.js';
import { StreamsModule } from './modules/streams/streams.module.js';
import { TenantsModule } from './modules/tenants/tenants.module.js';
import { TransparencyModule } from './modules/transparency/transparency.module.js';
import { WebhooksModule } from './modules/webhooks/webhooks.module.js';
import { WorkerModule } from './modules/worker.module.js';
import { Palimpsest } from './palimpsest.js';
import type { JoinedServers } from './servers/joined-servers.js';
import { publishSessionEvents } from './session-events.js';
import { CLOSERS, ON_PROBLEM, type OnProblem, SUBSCRIPTIONS } from './symbols.js';
import { Metrics } from './telemetry/metrics.js';

export type OpenOptions = {
  /** Receives errors that the process survives, by the place where they occur. By default they are logged. */
  readonly onProblem?: (place: string) => (error: unknown) => void;
  /** Called before and after each compaction, in this order, before the hook over HTTP. */
  readonly hooks?: readonly CompactionHook[];
  /** Providers that add content to every request composed by this process. */
  readonly contextProviders?: readonly ContextProvider[];
};

/**
 * The engine as a Nest module, which provides {@link Palimpsest}, `CommandBus`, `QueryBus` and `EventBus`. Creating the
 * application starts or connects to the servers, migrates the schema and starts the background work; its shutdown stops them.
 */
@Module({})
export class PalimpsestModule implements OnApplicationBootstrap, OnApplicationShutdown {
  @Inject(CLOSERS) private readonly closers!: Closers;
  @Inject(EventBus) private readonly bus!: EventBus;
  @Inject(SUBSCRIPTIONS) private readonly subscriptions!: Subscriptions;
  @Inject(ON_PROBLEM) private readonly onProblem!: OnProblem;

  /** The creation of the application fails with the `AppError` of a server that cannot be started or reached. */
  static forRoot(
    config: AppConfig,
    { onProblem = logProblem, hooks = [], contextProviders = [] }: OpenOptions = {},
    closers = new Closers(),
    servers?: JoinedServers,
  ): DynamicModule {
    const metrics = new Metrics();
    const counted = (place: string) => (error: unknown) => {
      metrics.problem(place, error);
      onProblem(place)(error);
    };
    return {
      module: PalimpsestModule,
      imports: [
        settingsModule({ config, closers, onProblem: counted, hooks, contextProviders, metrics, servers }),
        ServersModule,
        EventStoreModule,
        SessionsModule,
        ErasuresModule,
        RetentionModule,
        TenantsModule,
        ReadModelsModule,
        SecretBoxModule,
        StreamsModule,
        GatewayModule,
        HandlersModule,
        TransparencyModule,
        WebhooksModule,
        WorkerModule,
      ],
      providers: [Palimpsest],
      exports: [Palimpsest, SessionsModule],
    };
  }

  /** Subscribes to the log if the application has a handler of {@link SessionEvents}. */
  onApplicationBootstrap(): void {
    if (!this.bus.subject$.observed) return;
    const stop = new AbortController();
    const onError = this.onProblem('event-bus');
    const published = publishSessionEvents(this.bus, this.subscriptions, onError, stop.signal).catch(onError);
    this.closers.add(() => {
      stop.abort();
      return published;
    });
  }

  /** Runs when the application has closed its own connections. */
  onApplicationShutdown(): Promise<void> {
    return this.closers.close();
  }
}
