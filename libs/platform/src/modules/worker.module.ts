import { hostname } from 'node:os';
import {
  ActiveRuns,
  CompactionRunner,
  type CompactorOptions,
  HeldBackErasures,
  HookCalls,
  type RetentionWatchOptions,
  runCompactor,
  SessionStore,
  TenantStore,
  watchIdle,
  watchRetention,
} from '@app/application';
import { DEFAULT_TENANT_LIMITS, type LimitCeilings, withinCeilings } from '@app/domain';
import { Actor, type TenantId } from '@app/kernel';
import { Inject, Module, type OnApplicationBootstrap } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import type { ProcessRole } from '../process-settings.js';
import { factoryProvider, type PartsOf } from '../providers.js';
import {
  APP_CONFIG,
  CLOCK,
  CLOSERS,
  CONTENT_KEYS,
  EVENT_LOG,
  HOOKS,
  METRICS,
  MODELLESS_SUMMARIZER,
  ON_PROBLEM,
  PROJECTOR,
  READ_MODELS,
  SUBSCRIPTIONS,
  SUMMARIZERS,
  TOKEN_COUNTER,
  TRANSPARENCY_RUN,
  WEBHOOK_RUN,
  WITNESS_RUN,
  WORKER,
  type Worker,
} from '../symbols.js';
import { traceCompactions } from '../telemetry/telemetry.js';
import { EventStoreModule } from './event-store.module.js';
import { HooksModule } from './hooks.module.js';
import { TokenCounterModule } from './models/token-counter.module.js';
import { ReadModelsModule } from './read-models.module.js';
import { RetentionModule } from './retention.module.js';
import { SecretBoxModule } from './secrets/secret-box.module.js';
import { SessionsModule } from './sessions.module.js';
import { SummarizersModule } from './summarizers/summarizers.module.js';
import { ceilingsOf } from './tenants/limit-settings.js';
import { TenantsModule } from './tenants/tenants.module.js';
import { TransparencyModule } from './transparency/transparency.module.js';
import { WebhooksModule } from './webhooks/webhooks.module.js';

const NEEDS = {
  log: EVENT_LOG,
  subscriptions: SUBSCRIPTIONS,
  sessions: SessionStore,
  erasures: HeldBackErasures,
  commands: CommandBus,
  projector: PROJECTOR,
  readModels: READ_MODELS,
  summarizers: SUMMARIZERS,
  facts: MODELLESS_SUMMARIZER,
  counter: TOKEN_COUNTER,
  hooks: HOOKS,
  clock: CLOCK,
  onProblem: ON_PROBLEM,
  sendToWebhooks: WEBHOOK_RUN,
  addToLogs: TRANSPARENCY_RUN,
  submitToWitnesses: WITNESS_RUN,
  tenants: TenantStore,
  config: APP_CONFIG,
  metrics: METRICS,
  closers: CLOSERS,
  keys: CONTENT_KEYS,
} as const;
type WorkerParts = PartsOf<typeof NEEDS> & {
  readonly runs: ActiveRuns;
  /** Resolves when the handlers of commands are registered, or the process ends. */
  readonly ready: Promise<void>;
};

/** The background work of each role, until `signal` aborts. */
const workOf: Record<ProcessRole, (parts: WorkerParts, signal: AbortSignal) => readonly Promise<void>[]> = {
  api: () => [],
  compactor: (parts, signal) => compactorWork(parts, signal),
  projector: ({ projector, addToLogs, submitToWitnesses, keys }, signal) => {
    keys.onEvicted(() => projector.reread());
    return [projector.run(signal), addToLogs(signal), submitToWitnesses(signal)];
  },
  webhooks: ({ sendToWebhooks }, signal) => [sendToWebhooks(signal)],
};

const compactorWork = (parts: WorkerParts, signal: AbortSignal): readonly Promise<void>[] => {
  const { log, subscriptions, sessions, commands, readModels, summarizers, counter, facts } = parts;
  const { clock, onProblem, tenants, config } = parts;
  const worker = Actor(`worker:${hostName()}:${process.pid}`);
  const hooks =
    parts.hooks.length > 0
      ? new HookCalls({ sessions, log, counter, hooks: parts.hooks, onError: onProblem('hook') })
      : undefined;
  const runner = new CompactionRunner({
    sessions,
    commands,
    summarizers,
    counter,
    worker,
    facts,
    hooks,
  });
  const idle = { readModels, sessions, worker, clock, onError: onProblem('idle-watch') };
  const compactor: CompactorOptions = {
    ...traceCompactions({ subscriptions, runner }),
    atOnce: config.PALIMPSEST_MAX_CONCURRENT_COMPACTIONS,
    held: config.PALIMPSEST_COMPACTION_QUEUE_LIMIT,
    ready: () => readModels.status(),
    limitOf: (tenant) => concurrentCompactions(tenants, tenant, ceilingsOf(config)),
    runs: parts.runs,
    onLoad: (load) => parts.metrics.compactorHas(load),
    onError: onProblem('compactor'),
  };
  const { erasures } = parts;
  const retention: RetentionWatchOptions = {
    ...idle,
    erase: (ref, actor) => erasures.eraseAfterRetention(ref, actor),
    retry: (tenant, ended) => erasures.retry(tenant, ended),
    onError: onProblem('retention'),
  };
  return [
    parts.ready.then(() => runCompactor(compactor, signal)),
    watchIdle(idle, signal),
    watchRetention(retention, signal),
  ];
};

/** Returns the limit of a tenant; unregistered tenants have the default. */
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

const start = (needs: PartsOf<typeof NEEDS>): Worker => {
  const stop = new AbortController();
  let handlersRegistered = (): void => {};
  const ready = new Promise<void>((resolve) => {
    handlersRegistered = resolve;
  });
  const parts: WorkerParts = { ...needs, runs: new ActiveRuns(), ready };
  const work = parts.config.PALIMPSEST_ROLES.flatMap((role) => workOf[role](parts, stop.signal));
  parts.closers.add(async () => {
    stop.abort();
    handlersRegistered();
    await Promise.allSettled(work);
  });
  const failure = Promise.all(work).then(() => new Promise<never>(() => {}));
  failure.catch(() => {}); // Callers may ignore it.
  return { handlersRegistered, failure, settled: () => parts.runs.settled(parts.sessions) };
};

/**
 * The background work of the process. It starts when the module is created; the compactor waits for the bootstrap, when Nest
 * has registered the command handlers.
 */
@Module({
  imports: [
    EventStoreModule,
    SessionsModule,
    ReadModelsModule,
    RetentionModule,
    SecretBoxModule,
    SummarizersModule,
    TokenCounterModule,
    HooksModule,
    WebhooksModule,
    TenantsModule,
    TransparencyModule,
  ],
  providers: [factoryProvider(WORKER, NEEDS, start)],
  exports: [WORKER],
})
export class WorkerModule implements OnApplicationBootstrap {
  constructor(@Inject(WORKER) private readonly worker: Worker) {}

  onApplicationBootstrap(): void {
    this.worker.handlersRegistered();
  }
}
