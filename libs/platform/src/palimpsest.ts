import type { OpenEventStore } from '@app/adapters/event-store-db';
import { auditPayload } from '@app/adapters/read-model-postgres';
import {
  ErasureRunner,
  type EventHub,
  Gateway,
  KeyDirectory,
  OutcomeWaiter,
  TranscriptImporter,
} from '@app/application';
import type { SessionEvent } from '@app/domain';
import type { JsonObject } from '@app/kernel';
import type {
  IdempotencyKeys,
  KeyedDigests,
  KeyUses,
  OwnWitness,
  Projector,
  ReadModels,
  SecretBox,
  Subscriptions,
  TransparencyLogs,
  WebhookDeliveries,
} from '@app/ports';
import { Inject, Injectable } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { type OpenedAccess, openAccess } from './access/open-access.js';
import { BackgroundWorker } from './background/background-worker.js';
import type { Closers } from './closers.js';
import type { AppConfig } from './config.js';
import type { ProcessRole } from './process-settings.js';
import type { Servers } from './servers/servers.js';
import {
  APP_CONFIG,
  CLOSERS,
  CONTENT_KEYS,
  EVENT_HUB,
  EVENT_STORE,
  IDEMPOTENCY_KEYS,
  KEY_USES,
  METRICS,
  OWN_WITNESS,
  PROJECTOR,
  READ_MODELS,
  SECRET_BOX,
  SERVERS,
  TRANSPARENCY_LOGS,
  WEBHOOK_DELIVERIES,
  WORKER,
  type Worker,
} from './symbols.js';
import type { Metrics } from './telemetry/metrics.js';
import { Operations } from './telemetry/operations.js';
import { inSpan } from './telemetry/spans.js';

/** A started engine. Nest injects it by this class; `openPalimpsest` returns it. */
@Injectable()
export class Palimpsest {
  @Inject(QueryBus) readonly queries!: QueryBus;
  @Inject(TranscriptImporter) readonly importer!: TranscriptImporter;
  @Inject(OutcomeWaiter) readonly outcomes!: OutcomeWaiter;
  /** @internal */
  @Inject(Gateway) readonly gateway!: Gateway;
  @Inject(READ_MODELS) readonly readModels!: ReadModels;
  /** @internal */
  @Inject(IDEMPOTENCY_KEYS) readonly idempotencyKeys!: IdempotencyKeys;
  /** @internal */
  @Inject(CONTENT_KEYS) readonly keyedDigests!: KeyedDigests;
  @Inject(TRANSPARENCY_LOGS) readonly transparencyLogs!: TransparencyLogs;
  /** @internal */
  @Inject(OWN_WITNESS) readonly ownWitness!: OwnWitness;
  /** @internal */
  @Inject(SECRET_BOX) readonly secretBox!: SecretBox;
  /** @internal */
  @Inject(PROJECTOR) readonly projector!: Projector;
  /** @internal */
  @Inject(ErasureRunner) readonly erasures!: ErasureRunner;
  /** @internal */
  @Inject(EVENT_HUB) readonly hub!: EventHub;
  /**
   * Returns the facts of an event that an auditor sees, without message text.
   * @internal
   */
  readonly factsOf: (event: SessionEvent) => JsonObject = auditPayload;

  @Inject(CommandBus) private readonly bus!: CommandBus;
  @Inject(EVENT_STORE) private readonly store!: OpenEventStore;
  @Inject(METRICS) private readonly metrics!: Metrics;
  @Inject(WEBHOOK_DELIVERIES) private readonly deliveries!: WebhookDeliveries;
  @Inject(KeyDirectory) private readonly directory!: KeyDirectory;
  @Inject(KEY_USES) private readonly uses!: KeyUses;
  @Inject(SERVERS) private readonly servers!: Servers;
  @Inject(WORKER) private readonly worker!: Worker;
  @Inject(APP_CONFIG) private readonly config!: AppConfig;
  @Inject(CLOSERS) private readonly closers!: Closers;
  private readonly made: { commands?: CommandBus; operations?: Operations; failure?: Promise<never> } = {};
  private background: BackgroundWorker | undefined;

  /** The command bus, with a span for each command. */
  get commands(): CommandBus {
    this.made.commands ??= traced(this.bus);
    return this.made.commands;
  }

  get subscriptions(): Subscriptions {
    return this.store.subscriptions;
  }

  /**
   * Health and metrics of this process.
   * @internal
   */
  get operations(): Operations {
    const { subscriptions, takesEvents } = this.store;
    const { readModels, metrics, deliveries, hub, config, transparencyLogs: logs } = this;
    this.made.operations ??= new Operations(
      {
        subscriptions,
        readModels,
        metrics,
        deliveries,
        takesEvents,
        logs,
        streamReaders: () => hub.size,
        background: () => this.background,
      },
      config.PALIMPSEST_METRICS,
    );
    return this.made.operations;
  }

  /** Rejects when a server or the projector ends unexpectedly, without which the engine does not work. */
  get failure(): Promise<never> {
    this.made.failure ??= Promise.race([this.servers.failure, this.worker.failure]);
    this.made.failure.catch(() => {}); // Callers may ignore it.
    return this.made.failure;
  }

  /** Runs these roles in a child process, which stops before this engine. @internal */
  runInBackground(roles: readonly ProcessRole[]): void {
    if (roles.length === 0) return;
    const { eventStoreUrl, postgresUrl, ownFolder } = this.servers;
    const config = { ...this.config, PALIMPSEST_ROLES: roles, PALIMPSEST_OPERATIONS_PORT: undefined };
    const worker = new BackgroundWorker(config, { eventStoreUrl, postgresUrl, ownFolder });
    this.background = worker;
    this.closers.add(() => worker.stop());
  }

  /** Opens the directory of API keys; `configured` is the key of an admin of the operator's tenant. Call it once. @internal */
  openAccess(configured?: string): Promise<OpenedAccess> {
    const { directory, uses, readModels, commands, closers } = this;
    return openAccess({ directory, uses, readModels, commands, closers }, configured);
  }

  /** Waits until the hooks have been called for every compaction that this process has completed. */
  settled(): Promise<void> {
    return this.worker.settled();
  }

  /** Stops the background work and then the embedded servers, within 20 seconds. Idempotent. */
  close(): Promise<void> {
    return this.closers.close();
  }
}

const traced = (bus: CommandBus): CommandBus =>
  new Proxy(bus, {
    get: (target, property) => {
      const value: unknown = Reflect.get(target, property, target);
      if (property !== 'execute' || typeof value !== 'function') return value;
      return (command: object) => inSpan(nameOf(command), {}, async () => value.call(target, command));
    },
  });

/** Returns the class name of a command, without the number that esbuild appends to duplicate names. */
const nameOf = (command: object): string => command.constructor.name.replace(/\d+$/, '');
