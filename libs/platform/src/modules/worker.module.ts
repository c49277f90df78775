import { hostname } from 'node:os';
import type { OpenEventStore } from '@app/adapters/event-store-db';
import {
  CompactionRunner,
  HookCalls,
  RunsInHand,
  runCompactor,
  SessionStore,
  TenantStore,
  watchIdle,
} from '@app/application';
import { DEFAULT_TENANT_LIMITS, type LimitCeilings, withinCeilings } from '@app/domain';
import { Actor, type TenantId } from '@app/kernel';
import type {
  Clock,
  CompactionHook,
  ModelRegistry,
  Projector,
  ReadModels,
  Summarizer,
  SummarizerChoice,
  TokenCounter,
} from '@app/ports';
import { Module } from '@nestjs/common';
import type { Closers } from '../closers.js';
import type { AppConfig } from '../config.js';
import type { ProcessRole } from '../process-settings.js';
import {
  APP_CONFIG,
  CLOCK,
  CLOSERS,
  EVENT_STORE,
  HOOKS,
  METRICS,
  MODEL_REGISTRY,
  MODELLESS_SUMMARIZER,
  ON_PROBLEM,
  PROJECTOR,
  READ_MODELS,
  SUMMARIZERS,
  TOKEN_COUNTER,
  WEBHOOK_RUN,
  WORKER,
} from '../symbols.js';
import type { Metrics } from '../telemetry/metrics.js';
import { traceCompactions } from '../telemetry/telemetry.js';
import { EventStoreModule } from './event-store.module.js';
import { HooksModule } from './hooks/hooks.module.js';
import { ModelsModule } from './models/models.module.js';
import { TokenCounterModule } from './models/token-counter.module.js';
import { ReadModelsModule } from './read-models.module.js';
import { SessionsModule } from './sessions.module.js';
import type { OnProblem } from './settings.module.js';
import { SummarizersModule } from './summarizers/summarizers.module.js';
import { ceilingsOf } from './tenants/limit-settings.js';
import { TenantsModule } from './tenants/tenants.module.js';
import { type WebhookRun, WebhooksModule } from './webhooks/webhooks.module.js';

/** The work that goes on beside requests: compactions that are run and asked for, the log projected, events sent to webhooks. */
export type Worker = {
  /** Rejects where one of its parts has ended, which none does by itself. */
  readonly failure: Promise<never>;
  /** Waits until the hooks have heard of every compaction that this process has brought to its end. */
  settled(): Promise<void>;
};

type WorkerParts = {
  readonly store: OpenEventStore;
  readonly sessions: SessionStore;
  readonly projector: Projector;
  readonly readModels: ReadModels;
  readonly summarizers: SummarizerChoice;
  /** Takes facts from the log. */
  readonly facts: Summarizer;
  readonly counter: TokenCounter;
  readonly hooks: readonly CompactionHook[];
  readonly clock: Clock;
  readonly onProblem: OnProblem;
  readonly sendToWebhooks: WebhookRun;
  readonly tenants: TenantStore;
  readonly models: ModelRegistry;
  readonly config: AppConfig;
  readonly metrics: Metrics;
  readonly runs: RunsInHand;
};

/** What a role has a process do beside requests, until `signal` aborts. */
const workOf: Record<ProcessRole, (parts: WorkerParts, signal: AbortSignal) => readonly Promise<void>[]> = {
  api: () => [],
  compactor: (parts, signal) => compacting(parts, signal),
  projector: ({ projector }, signal) => [projector.run(signal)],
  webhooks: ({ sendToWebhooks }, signal) => [sendToWebhooks(signal)],
};

const compacting = (parts: WorkerParts, signal: AbortSignal): readonly Promise<void>[] => {
  const { store, sessions, readModels, counter, hooks, clock, onProblem, tenants, models, config } = parts;
  const { log, subscriptions } = store;
  const worker = Actor(`worker:${hostName()}:${process.pid}`);
  const calls =
    hooks.length > 0
      ? new HookCalls({ sessions, log, counter, hooks, onError: onProblem('hook') })
      : undefined;
  const runner = new CompactionRunner(sessions, parts.summarizers, counter, worker, {
    facts: parts.facts,
    ...(calls && { hooks: calls }),
    models,
  });
  const idle = { readModels, sessions, worker, clock, onError: onProblem('idle-watch') };
  return [
    runCompactor(
      {
        ...traceCompactions({ subscriptions, runner }),
        atOnce: config.PALIMPSEST_COMPACTIONS_AT_ONCE,
        held: config.PALIMPSEST_COMPACTIONS_HELD,
        limitOf: (tenant) => concurrentCompactions(tenants, tenant, ceilingsOf(config)),
        runs: parts.runs,
        onLoad: (load) => parts.metrics.compactorHas(load),
        onError: onProblem('compactor'),
      },
      signal,
    ),
    watchIdle(idle, signal),
  ];
};

/** Sessions may be those of a tenant that nobody has registered. */
const concurrentCompactions = async (
  tenants: TenantStore,
  tenant: TenantId,
  ceilings: LimitCeilings,
): Promise<number> => {
  const { state } = await tenants.load(tenant);
  const limits = state.status === 'registered' ? state.limits : DEFAULT_TENANT_LIMITS;
  return withinCeilings(limits, ceilings).concurrentCompactions;
};

const hostName = (): string =>
  hostname()
    .replace(/[^\x21-\x7e]/g, '_')
    .slice(0, 64);

const start = (parts: WorkerParts, roles: readonly ProcessRole[], closers: Closers): Worker => {
  const stop = new AbortController();
  const work = roles.flatMap((role) => workOf[role](parts, stop.signal));
  closers.add(async () => {
    stop.abort();
    await Promise.allSettled(work);
  });
  const failure = Promise.all(work).then(() => new Promise<never>(() => {}));
  failure.catch(() => {}); // Whoever is interested listens; nobody has to.
  return { failure, settled: () => parts.runs.settled(parts.sessions) };
};

/** Starts with the process that imports it, and ends with it. */
@Module({
  imports: [
    EventStoreModule,
    SessionsModule,
    ReadModelsModule,
    SummarizersModule,
    TokenCounterModule,
    HooksModule,
    WebhooksModule,
    TenantsModule,
    ModelsModule,
  ],
  providers: [
    {
      provide: WORKER,
      useFactory: (
        store: OpenEventStore,
        sessions: SessionStore,
        projector: Projector,
        readModels: ReadModels,
        summarizers: SummarizerChoice,
        facts: Summarizer,
        counter: TokenCounter,
        hooks: readonly CompactionHook[],
        clock: Clock,
        onProblem: OnProblem,
        sendToWebhooks: WebhookRun,
        tenants: TenantStore,
        models: ModelRegistry,
        config: AppConfig,
        closers: Closers,
        metrics: Metrics,
      ) =>
        start(
          {
            store,
            sessions,
            projector,
            readModels,
            summarizers,
            facts,
            counter,
            hooks,
            clock,
            onProblem,
            sendToWebhooks,
            tenants,
            models,
            config,
            metrics,
            runs: new RunsInHand(),
          },
          config.PALIMPSEST_ROLES,
          closers,
        ),
      inject: [
        EVENT_STORE,
        SessionStore,
        PROJECTOR,
        READ_MODELS,
        SUMMARIZERS,
        MODELLESS_SUMMARIZER,
        TOKEN_COUNTER,
        HOOKS,
        CLOCK,
        ON_PROBLEM,
        WEBHOOK_RUN,
        TenantStore,
        MODEL_REGISTRY,
        APP_CONFIG,
        CLOSERS,
        METRICS,
      ],
    },
  ],
  exports: [WORKER],
})
export class WorkerModule {}
