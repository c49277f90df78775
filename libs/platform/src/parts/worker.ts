import { hostname } from 'node:os';
import {
  ActiveRuns,
  CompactionRunner,
  type CompactorOptions,
  HookCalls,
  type RetentionWatchOptions,
  runCompactor,
  type TenantStore,
  watchIdle,
  watchRetention,
} from '@app/application';
import { DEFAULT_TENANT_LIMITS, type LimitCeilings, withinCeilings } from '@app/domain';
import { Actor, type TenantId } from '@app/kernel';
import type { ProcessRole } from '../process-settings.js';
import { traceCompactions } from '../telemetry/telemetry.js';
import { type Parts, part, type Worker } from './parts.js';
import { ceilingsOf } from './tenants/limit-settings.js';

const NEEDS = [
  ...(['log', 'subscriptions', 'sessions', 'erasures', 'commands', 'projector', 'readModels'] as const),
  ...(['summarizers', 'facts', 'counter', 'hooks', 'clock', 'onProblem', 'sendToWebhooks'] as const),
  ...(['addToLogs', 'submitToWitnesses', 'tenants', 'config', 'metrics', 'closers', 'keys'] as const),
];
type WorkerParts = Pick<Parts, (typeof NEEDS)[number]> & {
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

const start = (needs: Pick<Parts, (typeof NEEDS)[number]>): Worker => {
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
 * The background work of the process. It starts when its parts are there; the compactor waits until Nest has registered the
 * command handlers.
 */
export const WORKER = [part('worker', NEEDS, start)];
