import { setTimeout as pause } from 'node:timers/promises';
import { AppError } from '@app/kernel';
import type { ProjectionName, ProjectionStatus, ReadModels, Subscriptions } from '@app/ports';
import { lagsOf } from './lags.js';
import type { Metrics } from './metrics.js';

/** What takes longer to answer counts as not there. */
const ANSWER_WITHIN_MS = 2_000;
/** Whoever asks more often than that is told the same: nobody loads the servers by asking how they are. */
const FRESH_MS = 500;

type ProjectionHealth = {
  readonly projection: ProjectionName;
  readonly position: string | null;
  /** Events that are in the log and not in the rows; `null` where the log does not answer. At most about 10,000. */
  readonly lag: number | null;
  /** Streams whose rows are stopped, counted up to 10,000 of all projections together. */
  readonly stoppedStreams: number;
  /** `degraded` where rows are stopped; `unknown` where the log does not say how far behind the rows are. */
  readonly status: 'ok' | 'degraded' | 'unknown';
};
type Answering = 'ok' | 'unavailable';
/** How a process and what it depends on are, without addresses, versions and words of errors. */
export type Health = {
  /** Whether this process can serve requests; projections have no part in it. */
  readonly status: 'ready' | 'unavailable';
  /** `full` where it answers and takes no events, since its disk is full. */
  readonly eventStore: Answering | 'full';
  readonly postgres: Answering;
  /** Empty where PostgreSQL does not answer. */
  readonly projections: readonly ProjectionHealth[];
};

export type HealthParts = {
  readonly subscriptions: Subscriptions;
  readonly readModels: Pick<ReadModels, 'status'>;
  readonly metrics: Metrics;
  /** Whether the log takes events. */
  readonly takesEvents: () => Promise<boolean>;
};

/** Asks what the process depends on; what is away is asked again the next time. */
export class HealthCheck {
  private last: { readonly at: number; readonly health: Promise<Health> } | undefined;

  constructor(private readonly parts: HealthParts) {}

  now(): Promise<Health> {
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

/** Why a process is not ready; what it says is for everybody, since it names no server and no path. */
export class NotReady extends AppError {}

/**
 * Says whether this process can serve. How projections are is not its business: one tenant's event would take every
 * process out of the load balancer, and a process that is taken out makes no row.
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

/** The answer of something that may be away; `undefined` where it is, or keeps one waiting. */
const answer = async <Value>(
  ask: (signal: AbortSignal) => Promise<Value>,
): Promise<{ readonly value: Value } | undefined> => {
  const late = new AbortController();
  const stop = new AbortController();
  const silence = pause(ANSWER_WITHIN_MS, undefined, { signal: stop.signal }).then(
    () => undefined,
    () => undefined,
  );
  try {
    return await Promise.race([ask(late.signal).then((value) => ({ value })), silence]);
  } catch {
    return undefined;
  } finally {
    late.abort();
    stop.abort();
  }
};
