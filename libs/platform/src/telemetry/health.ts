import { AppError, LATE, within } from '@app/kernel';
import type { ProjectionName, ProjectionStatus, ReadModels, Subscriptions } from '@app/ports';
import { lagsOf } from './lags.js';
import type { Metrics, MetricValues } from './metrics.js';

/** Milliseconds until a dependency without an answer counts as unavailable. */
const ANSWER_WITHIN_MS = 2_000;
/** Milliseconds for which a result is reused, so that health checks do not load the servers. */
const FRESH_MS = 500;

type ProjectionHealth = {
  readonly projection: ProjectionName;
  readonly position: string | null;
  /** Events in the log that are not in the rows, up to about 10,000; `null` if the event store does not answer. */
  readonly lag: number | null;
  /** Streams with stopped rows, up to 10,000 of all projections. */
  readonly stoppedStreams: number;
  /** `degraded` if rows are stopped; `unknown` if the lag is unknown. */
  readonly status: 'ok' | 'degraded' | 'unknown';
};
/** State of a child process with background roles. `restarting`: it has ended unexpectedly, and is not ready again. */
export type WorkerState = 'starting' | 'running' | 'restarting';
/** A child process with background roles. */
export type BackgroundProcess = {
  readonly state: WorkerState;
  /** Values of its metrics, and the counters of its predecessors. */
  metrics(): Promise<readonly MetricValues[]>;
};
type Answering = 'ok' | 'unavailable';
/** Health of a process and its dependencies, without addresses, versions and error texts. */
export type Health = {
  /** Whether this process can serve requests; projections do not matter. */
  readonly status: 'ready' | 'unavailable';
  /** `full` if it answers but rejects events, since its disk is full. */
  readonly eventStore: Answering | 'full';
  readonly postgres: Answering;
  /** State of the child process with the background roles; absent without one. It does not affect `status`. */
  readonly worker?: WorkerState;
  /** Empty if PostgreSQL does not answer. */
  readonly projections: readonly ProjectionHealth[];
};

export type HealthParts = {
  readonly subscriptions: Subscriptions;
  readonly readModels: Pick<ReadModels, 'status'>;
  readonly metrics: Metrics;
  /** Whether the event store accepts events. */
  readonly takesEvents: () => Promise<boolean>;
  readonly background: () => BackgroundProcess | undefined;
};

/** Checks the dependencies of the process. */
export class HealthCheck {
  private last: { readonly at: number; readonly health: Promise<Health> } | undefined;

  constructor(private readonly parts: HealthParts) {}

  async now(): Promise<Health> {
    const health = await this.dependencies();
    const worker = this.parts.background()?.state;
    return worker === undefined ? health : { ...health, worker };
  }

  private dependencies(): Promise<Health> {
    const at = performance.now();
    if (this.last && at - this.last.at < FRESH_MS) return this.last.health;
    const health = this.look();
    this.last = { at, health };
    return health;
  }

  private async look(): Promise<Health> {
    const { subscriptions, readModels, metrics, takesEvents } = this.parts;
    const [head, room, statuses] = await Promise.all([
      answer(() => subscriptions.head()),
      answer(() => takesEvents()),
      answer(() => readModels.status()),
    ]);
    const lags =
      head && statuses ? await answer((signal) => lagsOf(subscriptions, statuses.value, signal)) : undefined;
    const projections = (statuses?.value ?? []).map((status) => healthOf(status, lags?.value));
    const isTaking = room?.value ?? true;
    for (const { projection, lag, stoppedStreams } of projections) {
      if (lag !== null) metrics.projectionLag.set({ projection }, lag);
      metrics.projectionStoppedStreams.set({ projection }, stoppedStreams);
    }
    return {
      status: head && statuses && isTaking ? 'ready' : 'unavailable',
      eventStore: stateOfLog(head !== undefined, isTaking),
      postgres: statuses ? 'ok' : 'unavailable',
      projections,
    };
  }
}

/** A process that is not ready. The message names no server and no path, so it may be public. */
export class NotReady extends AppError {}

/** Seconds of `Retry-After` after a refusal for the time being; clients add a growing pause of their own. */
export const RETRY_AFTER_SECONDS = 1;

/**
 * Throws if this process cannot serve requests. Ignores projections: an event of one tenant would otherwise remove all
 * processes from the load balancer, where they could not recover.
 *
 * @throws {NotReady} `event-store-unavailable`, `postgres-unavailable`.
 */
export const requireReady = ({ eventStore, postgres }: Health): void => {
  if (eventStore === 'full') {
    throw new NotReady(
      'event-store-unavailable',
      'the event store takes no events, its disk is full: make room',
    );
  }
  if (eventStore !== 'ok') {
    throw new NotReady('event-store-unavailable', 'the event store does not answer: see /health');
  }
  if (postgres !== 'ok') {
    throw new NotReady('postgres-unavailable', 'PostgreSQL does not answer: see /health');
  }
};

const stateOfLog = (answers: boolean, isTaking: boolean): Health['eventStore'] => {
  if (!answers) return 'unavailable';
  return isTaking ? 'ok' : 'full';
};

const healthOf = (
  { projection, position, stoppedStreams }: ProjectionStatus,
  lags: ReadonlyMap<ProjectionName, number> | undefined,
): ProjectionHealth => {
  const lag = lags?.get(projection) ?? null;
  const status = lag === null ? 'unknown' : 'ok';
  return {
    projection,
    position: position === null ? null : String(position),
    lag,
    stoppedStreams,
    status: stoppedStreams > 0 ? 'degraded' : status,
  };
};

/** Returns the answer of a dependency; `undefined` if it fails or times out. */
const answer = async <Value>(
  ask: (signal: AbortSignal) => Promise<Value>,
): Promise<{ readonly value: Value } | undefined> => {
  const late = new AbortController();
  try {
    const value = await within(ANSWER_WITHIN_MS, ask(late.signal));
    return value === LATE ? undefined : { value };
  } catch {
    return undefined;
  } finally {
    late.abort();
  }
};
