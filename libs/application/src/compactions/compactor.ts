import { setTimeout as delay } from 'node:timers/promises';
import {
  AppError,
  BoundedMap,
  type CompactionId,
  type LogPosition,
  sessionOf,
  type TenantId,
} from '@app/kernel';
import { DELIVERY_TIMEOUT_MS, type Delivery, type Subscriptions } from '@app/ports';
import type { SessionRef } from '../sessions/session-ref.js';
import type { ActiveRuns } from './active-runs.js';
import type { CompactionRunner } from './run-compaction.js';
import { FairQueue, type ShareOptions, TenantShares } from './tenant-shares.js';

/** Consumer group of all workers; the event store delivers each request to one of them. */
const GROUP = 'palimpsest-compactor';
/** Failures of a request in this process before it is parked for an operator. */
const FAILURES_MAX = 10;
/** Maximum of requests whose failures are counted. */
const FAILED_MAX = 1_000;
const RESUME_AFTER_MS = 500;
/** Maximum pause in an outage, up to which pauses double. Milliseconds. */
const RESUME_AFTER_MAX_MS = 10_000;
/**
 * Milliseconds after which a waiting request is returned before it starts, so that the delivery timeout leaves time to run it.
 */
const BEGINS_WITHIN_MS = 60_000;
/** Milliseconds after which a waiting request may have been redelivered to another worker and is dropped silently. */
const OURS_FOR_MS = DELIVERY_TIMEOUT_MS - 60_000;

/** Load of a worker. */
export type CompactorLoad = {
  readonly running: number;
  readonly waiting: number;
  readonly tenantsWaiting: number;
};

export type CompactorOptions = ShareOptions & {
  readonly subscriptions: Pick<Subscriptions, 'durable'>;
  readonly runner: Pick<CompactionRunner, 'run'>;
  /** Maximum of concurrent compactions of all tenants. */
  readonly atOnce: number;
  /** Maximum of requests in memory, among which tenants take turns; further ones wait in the event store. */
  readonly held: number;
  /** Rejects while compactions cannot run in this process: it then leaves requests to other workers. */
  readonly ready?: () => Promise<unknown>;
  /** Tracks running compactions. */
  readonly runs?: ActiveRuns;
  /** Called when the number of running or waiting compactions, or of waiting tenants, changes. */
  readonly onLoad?: (load: CompactorLoad) => void;
  /** Called for each error before the compactor continues; implementations must log no message text. */
  readonly onError: (error: unknown) => void;
  /** Monotonic clock in milliseconds. */
  readonly now?: () => number;
  /** Waits after so many failures in a row; real time by default. */
  readonly pause?: (failures: number, signal: AbortSignal) => Promise<void>;
};

/**
 * Consumes requested compactions from the durable subscription until `signal` aborts and runs them concurrently. Tenants take
 * turns within their limits. A request is acknowledged when its compaction has ended, so that it is redelivered if the worker
 * dies.
 */
export const runCompactor = (options: CompactorOptions, signal: AbortSignal): Promise<void> =>
  new Compactor(options, signal).run();

/** A request of this worker, waiting or running. */
type Due = {
  readonly id: string;
  readonly tenant: TenantId;
  readonly ref: SessionRef;
  readonly compactionId: CompactionId;
  readonly position: LogPosition;
  /** The newest delivery of the request. */
  given: Given;
};
/** A delivery, its arrival time, and the controller of its subscription. */
type Given = { readonly delivery: Delivery; readonly at: number; readonly connection: AbortController };

class Compactor {
  private readonly known = new Map<string, Due>();
  private readonly queue = new FairQueue<Due>();
  private readonly shares: TenantShares;
  private readonly runs = new Set<Promise<void>>();
  private readonly failed = new BoundedMap<string, number>(FAILED_MAX);
  private readonly now: () => number;
  private readonly pause: typeof pause;
  private failures = 0;

  constructor(
    private readonly options: CompactorOptions,
    private readonly signal: AbortSignal,
  ) {
    this.now = options.now ?? (() => performance.now());
    this.pause = options.pause ?? pause;
    this.shares = new TenantShares(options, this.now);
  }

  async run(): Promise<void> {
    while (!this.signal.aborted) {
      try {
        await this.options.ready?.();
        await this.follow();
      } catch (error) {
        if (this.signal.aborted) break;
        this.options.onError(error);
      }
      await this.pause(this.failures, this.signal);
      this.failures += 1;
    }
    await Promise.all(this.runs);
  }

  /** Consumes deliveries until the connection is lost. Waiting requests are then redelivered; running ones continue. */
  private async follow(): Promise<void> {
    const connection = new AbortController();
    const connected = AbortSignal.any([this.signal, connection.signal]);
    const { subscriptions, held, onError } = this.options;
    const requests = subscriptions.durable(GROUP, ['CompactionRequested'], connected, held, onError);
    try {
      for await (const delivery of requests) await this.receive({ delivery, at: this.now(), connection });
    } finally {
      for (const { id, tenant } of this.queue.clear()) {
        this.known.delete(id);
        this.shares.forget(tenant);
      }
      this.reportLoad();
    }
    connection.signal.throwIfAborted();
  }

  private async receive(given: Given): Promise<void> {
    const { event, stream, id, position } = given.delivery.recorded;
    const ref = sessionOf(stream);
    if (event.type !== 'CompactionRequested' || !ref) return given.delivery.ack();
    const before = this.known.get(id);
    if (before) {
      before.given = given;
      return;
    }
    const { tenant } = ref;
    const due = { id, tenant, ref, compactionId: event.data.compactionId, position, given };
    await this.shares.learn(tenant);
    this.known.set(id, due);
    this.queue.add(due);
    this.begin();
  }

  /** Starts waiting requests within the limits. */
  private begin(): void {
    while (this.shares.running < this.options.atOnce && !this.signal.aborted) {
      const due = this.queue.take((tenant) => this.shares.hasRoom(tenant));
      if (!due) break;
      const waited = this.now() - due.given.at;
      if (waited < BEGINS_WITHIN_MS) this.track(due);
      else this.release(due, waited < OURS_FOR_MS);
    }
    this.reportLoad();
  }

  private reportLoad(): void {
    const { size: waiting, tenants: tenantsWaiting } = this.queue;
    this.options.onLoad?.({ running: this.shares.running, waiting, tenantsWaiting });
  }

  private track(due: Due): void {
    this.shares.began(due.tenant);
    const run = this.finish(due)
      .catch((error: unknown) => due.given.connection.abort(error))
      .then(() => this.ended(due))
      .finally(() => this.runs.delete(run));
    this.runs.add(run);
    this.options.runs?.add(due.ref, due.compactionId, run);
  }

  private async ended(due: Due): Promise<void> {
    const { id, tenant } = due;
    if (this.known.get(id) === due) this.known.delete(id);
    this.shares.ended(tenant);
    if (this.queue.has(tenant)) await this.shares.learn(tenant);
    else this.shares.forget(tenant);
    this.begin();
  }

  /** Acknowledges a finished request, unless another worker has taken it over: only that worker may acknowledge it. */
  private async finish(due: Due): Promise<void> {
    const { runner, onError } = this.options;
    for (let failures = 0; !this.signal.aborted; failures += 1) {
      const { given } = due;
      try {
        const outcome = await runner.run(due.ref, due.compactionId, due.id, this.signal);
        this.failures = 0;
        if (outcome === 'ended') return await due.given.delivery.ack();
        if (due.given === given) return;
        continue; // Redelivered to this worker: the other one is gone.
      } catch (error) {
        if (this.signal.aborted) return; // Unacknowledged, so it is redelivered.
        // The delivery is lost with the connection, or is given up with it: the server may be away for this worker alone.
        if (isCode(error, 'event-store-unavailable') || isCode(error, 'postgres-unavailable')) throw error;
        onError(error);
        if (!isPassing(error)) return this.giveBack(due, classOf(error));
      }
      await this.pause(failures, this.signal); // It may last longer than the counted failures, so each is followed by a pause.
    }
  }

  /** Removes the request before it is returned, since it may be redelivered at once. */
  private giveBack(due: Due, reason: string): Promise<void> {
    const { delivery } = due.given;
    const failures = (this.failed.get(due.id) ?? 0) + 1;
    this.known.delete(due.id);
    this.failed.delete(due.id);
    if (failures > FAILURES_MAX) return delivery.park(reason);
    this.failed.set(due.id, failures);
    return delivery.retry(reason);
  }

  /** Returns a request that has waited too long, for redelivery to a less busy worker. */
  private release({ id, tenant, given }: Due, isOurs: boolean): void {
    this.known.delete(id);
    if (!this.queue.has(tenant)) this.shares.forget(tenant);
    if (isOurs) given.delivery.retry('waited').catch((error: unknown) => given.connection.abort(error));
  }
}

const pause = (failures: number, signal: AbortSignal): Promise<void> => {
  const milliseconds = Math.min(RESUME_AFTER_MS * 2 ** failures, RESUME_AFTER_MAX_MS);
  return delay(milliseconds, undefined, { signal }).catch(() => undefined);
};

/** Whether an error is no fault of the request, which needs no operator: a full disk, or writers that are faster than the worker. */
const isPassing = (error: unknown): boolean =>
  isCode(error, 'disk-full') || isCode(error, 'concurrency-conflict');

const isCode = (error: unknown, code: AppError['code']): boolean =>
  error instanceof AppError && error.code === code;

const classOf = (error: unknown): string =>
  error instanceof AppError ? error.code : error instanceof Error ? error.name : 'unknown';
