import type { OpenEventStore } from '@app/adapters/event-store-db';
import type { ReadModelDatabase } from '@app/adapters/read-model-postgres';
import type { ReplaceableBox } from '@app/adapters/secret-box';
import type {
  ContributionCollector,
  ErasureGuard,
  ErasureRunner,
  EventHub,
  Gateway,
  HandlerParts,
  HeldBackErasures,
  KeyDirectory,
  OutcomeWaiter,
  RequestCounts,
  TranscriptImporter,
} from '@app/application';
import type {
  BlobStore,
  CompactionHook,
  ContentKeys,
  ContextProvider,
  ErasableKeys,
  ErasurePlace,
  IdempotencyKeys,
  KeyedDigests,
  OwnWitness,
  Subscriptions,
  TransparencyRun,
  Upstream,
  WitnessRun,
} from '@app/ports';
import { type FactoryProvider, Inject } from '@nestjs/common';
import type { CommandBus, QueryBus } from '@nestjs/cqrs';
import type { Closers } from '../closers.js';
import type { AppConfig } from '../config.js';
import type { RecentEvents } from '../recent/recent-events.js';
import type { JoinedServers } from '../servers/joined-servers.js';
import type { Servers } from '../servers/servers.js';
import type { Metrics } from '../telemetry/metrics.js';
import type { KeyReload } from './secrets/key-reload.js';

/** Returns a handler of errors that the process survives, for the place where they occur. */
type OnProblem = (place: string) => (error: unknown) => void;

/** Background work: runs and requests compactions, projects the log, sends to webhooks. */
export type Worker = {
  /** Allows the compactor to start, which dispatches commands. */
  handlersRegistered(): void;
  /** Rejects when a part ends unexpectedly. */
  readonly failure: Promise<never>;
  /** Waits until the hooks have been called for every compaction that this process has completed. */
  settled(): Promise<void>;
};

/** What the process is started with. */
export type Given = {
  readonly config: AppConfig;
  readonly closers: Closers;
  readonly onProblem: OnProblem;
  readonly hooksInProcess: readonly CompactionHook[];
  readonly contextProviders: readonly ContextProvider[];
  readonly metrics: Metrics;
  /** Servers of the parent process; `undefined` if this process has none. */
  readonly joined: JoinedServers | undefined;
};

/** The parts of the engine by name, which is also their token in Nest's container. */
export type Parts = Given &
  Omit<HandlerParts, 'ceilings' | 'engine' | 'index' | 'keyed'> & {
    readonly servers: Servers;
    readonly database: ReadModelDatabase;
    readonly blobs: BlobStore;
    readonly store: OpenEventStore;
    readonly recent: RecentEvents;
    readonly tenantLog: OpenEventStore['tenantLog'];
    readonly subscriptions: Subscriptions;
    readonly keys: ContentKeys & ErasableKeys & KeyedDigests & { rewrap(): Promise<void> };
    readonly box: ReplaceableBox;
    /** Decrypts a key of the installation that a key store has encrypted. */
    readonly unwrap: (wrapped: string) => Promise<string>;
    /** Exchanges the keys of the box when their file changes. */
    readonly keyReload: KeyReload;
    /** The holds and retention periods that forbid an erasure. */
    readonly guard: ErasureGuard;
    /** Every place that can hold content in clear. */
    readonly places: readonly ErasurePlace[];
    readonly runner: ErasureRunner;
    readonly erasures: HeldBackErasures;
    readonly addToLogs: TransparencyRun;
    readonly submitToWitnesses: WitnessRun;
    readonly ownWitness: OwnWitness;
    readonly idempotencyKeys: IdempotencyKeys;
    readonly hooks: readonly CompactionHook[];
    readonly directory: KeyDirectory;
    readonly hub: EventHub;
    readonly upstream: Upstream;
    readonly counts: RequestCounts;
    readonly gateway: Gateway;
    readonly contributions: ContributionCollector;
    readonly outcomes: OutcomeWaiter;
    readonly importer: TranscriptImporter;
    readonly commands: CommandBus;
    readonly queries: QueryBus;
    readonly handlerParts: HandlerParts;
    /** Sends deliveries to webhooks until the signal aborts. */
    readonly sendToWebhooks: (signal: AbortSignal) => Promise<void>;
    readonly worker: Worker;
  };

/** Returns the provider of a part, which a function creates from other parts. */
export const part = <Name extends keyof Parts, Need extends keyof Parts>(
  provide: Name,
  needs: readonly Need[],
  make: (parts: Pick<Parts, Need>) => Parts[Name] | Promise<Parts[Name]>,
): FactoryProvider => ({
  provide,
  inject: [...needs],
  useFactory: (...parts: unknown[]) => {
    const named = needs.map((name, at) => [name, parts[at]]);
    // Nest passes the parts in the order of `inject`.
    return make(Object.fromEntries(named) as Pick<Parts, Need>);
  },
});

/** Injects a part into a property of a class. */
export const InjectPart = (name: keyof Parts): PropertyDecorator => Inject(name);
