import type { OpenEventStore } from '@app/adapters/event-store-db';
import { auditPayload } from '@app/adapters/read-model-postgres';
import { type EventHub, Gateway, KeyDirectory, OutcomeWaiter, TranscriptImporter } from '@app/application';
import type { SessionEvent } from '@app/domain';
import type { JsonObject } from '@app/kernel';
import type {
  CompactionHook,
  ContextProvider,
  IdempotencyKeys,
  KeyUses,
  Projector,
  ReadModels,
  Subscriptions,
  WebhookDeliveries,
} from '@app/ports';
import { Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { type FirstKeyKeeper, type OpenedAccess, openAccess } from './access/open-access.js';
import { Closers } from './closers.js';
import type { AppConfig } from './config.js';
import { logProblem } from './log-problem.js';
import { GatewayModule } from './modules/gateway/gateway.module.js';
import { ReadModelsModule } from './modules/read-models.module.js';
import { ServersModule } from './modules/servers.module.js';
import { SessionsModule } from './modules/sessions.module.js';
import { type Settings, settingsModule } from './modules/settings.module.js';
import { StreamsModule } from './modules/streams/streams.module.js';
import { TenantsModule } from './modules/tenants/tenants.module.js';
import type { Worker } from './modules/worker.module.js';
import { WorkerModule } from './modules/worker.module.js';
import type { Servers } from './servers/servers.js';
import {
  EVENT_HUB,
  EVENT_STORE,
  IDEMPOTENCY_KEYS,
  KEY_USES,
  PROJECTOR,
  READ_MODELS,
  SERVERS,
  WEBHOOK_DELIVERIES,
  WORKER,
} from './symbols.js';
import { Metrics } from './telemetry/metrics.js';
import { Operations } from './telemetry/operations.js';
import { inSpan } from './telemetry/spans.js';
import { startTracing } from './telemetry/tracing.js';

/** Everything that a process needs of Palimpsest, started. */
export type Palimpsest = {
  readonly commands: CommandBus;
  readonly queries: QueryBus;
  readonly importer: TranscriptImporter;
  readonly outcomes: OutcomeWaiter;
  readonly readModels: ReadModels;
  readonly idempotencyKeys: IdempotencyKeys;
  readonly projector: Projector;
  readonly subscriptions: Subscriptions;
  /** Its health and metrics. */
  readonly operations: Operations;
  readonly hub: EventHub;
  /** What an auditor sees of an event: its facts, without text. */
  readonly factsOf: (event: SessionEvent) => JsonObject;
  readonly gateway: Gateway;
  /**
   * What tells whose key one is; a key from the configuration is an admin's of the operator's tenant. To be called once.
   *
   * @param keeper takes the first key where this call issues one; it is returned where none is given.
   */
  openAccess(configured?: string, keeper?: FirstKeyKeeper): Promise<OpenedAccess>;
  /** Rejects where something that everything depends on has ended: a server, or the projecting of the log. */
  readonly failure: Promise<never>;
  /** Waits until the hooks have heard of every compaction that this process has brought to its end. */
  settled(): Promise<void>;
  close(): Promise<void>;
};

export type OpenOptions = {
  /** Hears, place by place, of problems that were survived. They are logged where nobody else wants them. */
  readonly onProblem?: (place: string) => (error: unknown) => void;
  /** Asked before compactions and told of their outcomes, in this order, before the hook over HTTP. */
  readonly hooks?: readonly CompactionHook[];
  /** What adds to every request that this process composes; nothing does by itself. */
  readonly contextProviders?: readonly ContextProvider[];
};

/**
 * Starts or connects to the servers, brings the schema up to date, and begins to work.
 *
 * @throws {AppError} as the servers do; then nothing is left running.
 */
export const openPalimpsest = async (
  config: AppConfig,
  { onProblem = logProblem, hooks = [], contextProviders = [] }: OpenOptions = {},
): Promise<Palimpsest> => {
  const closers = new Closers();
  const metrics = new Metrics();
  try {
    const tracing = await startTracing(config.OTEL_EXPORTER_OTLP_ENDPOINT);
    closers.add(() => tracing.close());
    const counted = (place: string) => (error: unknown) => {
      metrics.problem(place, error);
      onProblem(place)(error);
    };
    const root = rootModule({ config, closers, onProblem: counted, hooks, contextProviders, metrics });
    const app = await NestFactory.createApplicationContext(root, { logger: false, abortOnError: false });
    const { subscriptions, takesEvents } = app.get<OpenEventStore>(EVENT_STORE, { strict: false });
    const servers = app.get<Servers>(SERVERS, { strict: false });
    const worker = app.get<Worker>(WORKER, { strict: false });
    closers.add(() => app.close());
    const failure = Promise.race([servers.failure, worker.failure]);
    failure.catch(() => {});
    const commands = traced(app.get(CommandBus, { strict: false }));
    const hub = app.get<EventHub>(EVENT_HUB, { strict: false });
    const readModels = app.get<ReadModels>(READ_MODELS, { strict: false });
    const deliveries = app.get<WebhookDeliveries>(WEBHOOK_DELIVERIES, { strict: false });
    const directory = app.get(KeyDirectory, { strict: false });
    const uses = app.get<KeyUses>(KEY_USES, { strict: false });
    return {
      commands,
      queries: app.get(QueryBus, { strict: false }),
      importer: app.get(TranscriptImporter, { strict: false }),
      outcomes: app.get(OutcomeWaiter, { strict: false }),
      readModels,
      idempotencyKeys: app.get<IdempotencyKeys>(IDEMPOTENCY_KEYS, { strict: false }),
      projector: app.get<Projector>(PROJECTOR, { strict: false }),
      subscriptions,
      hub,
      factsOf: auditPayload,
      gateway: app.get(Gateway, { strict: false }),
      operations: new Operations(
        { subscriptions, readModels, metrics, deliveries, takesEvents, streamReaders: () => hub.size },
        config.PALIMPSEST_METRICS,
      ),
      openAccess: (configured, keeper) =>
        openAccess({ directory, uses, readModels, commands, closers }, configured, keeper),
      failure,
      settled: () => worker.settled(),
      close: () => closers.close(),
    };
  } catch (error) {
    await closers.close();
    throw error;
  }
};

/** The bus, with a span for each command. */
const traced = (bus: CommandBus): CommandBus =>
  new Proxy(bus, {
    get: (target, property) => {
      const value: unknown = Reflect.get(target, property, target);
      if (property !== 'execute' || typeof value !== 'function') return value;
      return (command: object) =>
        inSpan(command.constructor.name, {}, async () => value.call(target, command));
    },
  });

const rootModule = (settings: Settings) => {
  @Module({
    imports: [
      settingsModule(settings),
      ServersModule,
      SessionsModule,
      TenantsModule,
      ReadModelsModule,
      StreamsModule,
      GatewayModule,
      WorkerModule,
    ],
  })
  class PalimpsestModule {}
  return PalimpsestModule;
};
