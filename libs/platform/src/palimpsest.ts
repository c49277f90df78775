import { auditPayload } from '@app/adapters/read-model-postgres';
import type { ErasureRunner, EventHub, Gateway, OutcomeWaiter, TranscriptImporter } from '@app/application';
import type { SessionEvent } from '@app/domain';
import type { JsonObject } from '@app/kernel';
import type {
  IdempotencyKeys,
  KeyedDigests,
  OwnWitness,
  Projector,
  ReadModels,
  SecretBox,
  Subscriptions,
  TransparencyLogs,
} from '@app/ports';
import { Injectable } from '@nestjs/common';
import type { CommandBus, QueryBus } from '@nestjs/cqrs';
import { type OpenedAccess, openAccess } from './access/open-access.js';
import { BackgroundWorker } from './background/background-worker.js';
import type { Closers } from './closers.js';
import type { AppConfig } from './config.js';
import { InjectPart, type Parts } from './parts/parts.js';
import type { ProcessRole } from './process-settings.js';
import { Operations } from './telemetry/operations.js';
import { inSpan } from './telemetry/spans.js';

/** A started engine. Nest injects it by this class; `openPalimpsest` returns it. */
@Injectable()
export class Palimpsest {
  @InjectPart('queries') readonly queries!: QueryBus;
  @InjectPart('importer') readonly importer!: TranscriptImporter;
  @InjectPart('outcomes') readonly outcomes!: OutcomeWaiter;
  /** @internal */
  @InjectPart('gateway') readonly gateway!: Gateway;
  @InjectPart('readModels') readonly readModels!: ReadModels;
  /** @internal */
  @InjectPart('idempotencyKeys') readonly idempotencyKeys!: IdempotencyKeys;
  /** @internal */
  @InjectPart('keys') readonly keyedDigests!: KeyedDigests;
  @InjectPart('logs') readonly transparencyLogs!: TransparencyLogs;
  /** @internal */
  @InjectPart('ownWitness') readonly ownWitness!: OwnWitness;
  /** @internal */
  @InjectPart('box') readonly secretBox!: SecretBox;
  /** @internal */
  @InjectPart('projector') readonly projector!: Projector;
  /** @internal */
  @InjectPart('runner') readonly erasures!: ErasureRunner;
  /** @internal */
  @InjectPart('hub') readonly hub!: EventHub;
  /**
   * Returns the facts of an event that an auditor sees, without message text.
   * @internal
   */
  readonly factsOf: (event: SessionEvent) => JsonObject = auditPayload;

  @InjectPart('commands') private readonly bus!: CommandBus;
  @InjectPart('store') private readonly store!: Parts['store'];
  @InjectPart('metrics') private readonly metrics!: Parts['metrics'];
  @InjectPart('deliveries') private readonly deliveries!: Parts['deliveries'];
  @InjectPart('directory') private readonly directory!: Parts['directory'];
  @InjectPart('uses') private readonly uses!: Parts['uses'];
  @InjectPart('servers') private readonly servers!: Parts['servers'];
  @InjectPart('worker') private readonly worker!: Parts['worker'];
  @InjectPart('config') private readonly config!: AppConfig;
  @InjectPart('closers') private readonly closers!: Closers;
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
