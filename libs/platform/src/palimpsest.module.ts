import type { CompactionHook, ContextProvider } from '@app/ports';
import {
  type DynamicModule,
  Inject,
  Module,
  type OnApplicationBootstrap,
  type OnApplicationShutdown,
} from '@nestjs/common';
import { CqrsModule, EventBus } from '@nestjs/cqrs';
import { Closers } from './closers.js';
import type { AppConfig } from './config.js';
import { logProblem } from './log-problem.js';
import { Palimpsest } from './palimpsest.js';
import { ERASURES } from './parts/erasures.js';
import { GATEWAY } from './parts/gateway/gateway.js';
import { HANDLERS } from './parts/handlers.js';
import { HOOKS } from './parts/hooks.js';
import { MODELS } from './parts/models/models.js';
import { type Given, InjectPart, type Parts } from './parts/parts.js';
import { READ_MODELS } from './parts/read-models.js';
import { SECRETS } from './parts/secrets/secrets.js';
import { SESSIONS } from './parts/sessions.js';
import { STORAGE } from './parts/storage.js';
import { SUMMARIZERS } from './parts/summarizers/summarizers.js';
import { TENANTS } from './parts/tenants/tenants.js';
import { TRANSPARENCY } from './parts/transparency/transparency.js';
import { WEBHOOKS } from './parts/webhooks.js';
import { WORKER } from './parts/worker.js';
import type { JoinedServers } from './servers/joined-servers.js';
import { publishSessionEvents } from './session-events.js';
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
  @Inject(EventBus) private readonly bus!: EventBus;
  @InjectPart('closers') private readonly closers!: Closers;
  @InjectPart('subscriptions') private readonly subscriptions!: Parts['subscriptions'];
  @InjectPart('onProblem') private readonly onProblem!: Parts['onProblem'];
  @InjectPart('worker') private readonly worker!: Parts['worker'];
  @InjectPart('runner') private readonly runner!: Parts['runner'];
  @InjectPart('erasures') private readonly erasures!: Parts['erasures'];
  @InjectPart('keys') private readonly keys!: Parts['keys'];
  @InjectPart('sessions') private readonly sessions!: Parts['sessions'];
  @InjectPart('counter') private readonly counter!: Parts['counter'];

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
    const given: Given = {
      ...{ config, closers, onProblem: counted, hooksInProcess: hooks, contextProviders, metrics },
      joined: servers,
    };
    return {
      module: PalimpsestModule,
      imports: [CqrsModule],
      providers: [
        ...Object.entries(given).map(([provide, useValue]) => ({ provide, useValue })),
        ...[STORAGE, SECRETS, READ_MODELS, TENANTS, MODELS, SUMMARIZERS, SESSIONS, ERASURES, GATEWAY].flat(),
        ...[TRANSPARENCY, WEBHOOKS, HOOKS, HANDLERS, WORKER].flat(),
        Palimpsest,
      ],
      exports: [Palimpsest, CqrsModule],
    };
  }

  /**
   * The handlers of commands are registered now. Erasures that a crash has interrupted are finished beside other work: their
   * keys are destroyed already or fenced. A crash may also have come between the release of a hold and the erasure that it had
   * deferred.
   */
  onApplicationBootstrap(): void {
    this.worker.handlersRegistered();
    this.keys.onEvicted(async () => {
      await this.sessions.forgetAll();
      this.counter.forget?.();
    });
    void this.runner.resume().catch(this.onProblem('erasures'));
    void this.retryErasures().catch(this.onProblem('retention'));
    this.publishEvents();
  }

  /** Runs when the application has closed its own connections. */
  onApplicationShutdown(): Promise<void> {
    return this.closers.close();
  }

  private async retryErasures(): Promise<void> {
    for (const { tenant } of await this.keys.ledgers()) await this.erasures.retry(tenant);
  }

  /** Subscribes to the log if the application has a handler of {@link SessionEvents}. */
  private publishEvents(): void {
    if (!this.bus.subject$.observed) return;
    const stop = new AbortController();
    const onError = this.onProblem('event-bus');
    const published = publishSessionEvents(this.bus, this.subscriptions, onError, stop.signal).catch(onError);
    this.closers.add(() => {
      stop.abort();
      return published;
    });
  }
}
