import { setTimeout as delay } from 'node:timers/promises';
import { AppError, type CompactionId, type LogPosition, sessionOf, type TenantId } from '@app/kernel';
import { DELIVERY_TIMEOUT_MS, type Delivery, type Subscriptions } from '@app/ports';
import type { SessionRef } from '../sessions/session-ref.js';
import type { ActiveRuns } from './active-runs.js';
import { FairQueue } from './fairness/fair-queue.js';
import { type ShareOptions, TenantShares } from './fairness/tenant-shares.js';
import type { CompactionRunner } from './run-compaction.js';

/** The group that all workers share: the log hands each request to one of them. */
const GROUP = 'palimpsest-compactor';
/** Failures of one request in this process before it is set aside for somebody to look at. */
const FAILURES_MAX = 10;
/** Requests whose failures are remembered. */
const FAILED_MAX = 1_000;
const RESUME_AFTER_MS = 500;
/** In an outage the pauses double up to this. */
const RESUME_AFTER_MAX_MS = 10_000;
/** One that has waited longer is asked for anew before it begins, so that it has its time to run. */
const BEGINS_WITHIN_MS = 60_000;
/** One that has waited so long may be another worker's already: nothing is said of it any more. */
const OURS_FOR_MS = DELIVERY_TIMEOUT_MS - 60_000;

/** What a worker has in its hands. */
export type CompactorLoad = {
  readonly running: number;
  readonly waiting: number;
  readonly tenantsWaiting: number;
};

export type CompactorOptions = ShareOptions & {
  readonly subscriptions: Pick<Subscriptions, 'durable'>;
  readonly runner: Pick<CompactionRunner, 'run'>;
  /** How many compactions run at once, of all tenants. */
  readonly atOnce: number;
  /** How many requests are held, so that tenants can take turns: those behind them wait with the log. */
  readonly held: number;
  /** Is told of each compaction that runs. */
  readonly runs?: ActiveRuns;
  /** Hears of how many run, how many wait, and of how many tenants, whenever that changes. */
  readonly onLoad?: (load: CompactorLoad) => void;
  /** Hears of what went wrong, by class and place, before the compactor goes on. */
  readonly onError: (error: unknown) => void;
  /** Milliseconds, by a clock that does not jump. */
  readonly now?: () => number;
};

/**
 * Takes requested compactions from the log's durable subscription until `signal` aborts, and runs several at once:
 * tenants take turns, none with more than its limit. A request is acknowledged when its compaction has ended: whatever
 * dies before that, somebody gets it again.
 */
export const runCompactor = (options: CompactorOptions, signal: AbortSignal): Promise<void> =>
  new Compactor(options, signal).run();

/** A request that this worker has: it waits, or it runs. */
type Due = {
  readonly id: string;
  readonly tenant: TenantId;
  readonly ref: SessionRef;
  readonly compactionId: CompactionId;
  readonly position: LogPosition;
  /** The last one, where the log has delivered it again. */
  given: Given;
};
/** A delivery, when it came, and what ends the subscription that it came by. */
type Given = { readonly delivery: Delivery; readonly at: number; readonly connection: AbortController };

class Compactor {
  private readonly known = new Map<string, Due>();
  private readonly queue = new FairQueue<Due>();
  private readonly shares: TenantShares;
  private readonly runs = new Set<Promise<void>>();
  private readonly failed = new Map<string, number>();
  private readonly now: () => number;
  private failures = 0;

  constructor(
    private readonly options: CompactorOptions,
    private readonly signal: AbortSignal,
  ) {
    this.now = options.now ?? (() => performance.now());
    this.shares = new TenantShares(options, this.now);
  }

  async run(): Promise<void> {
    while (!this.signal.aborted) {
      try {
        await this.follow();
      } catch (error) {
        if (this.signal.aborted) break;
        this.options.onError(error);
      }
      await pause(this.failures, this.signal);
      this.failures += 1;
    }
    await Promise.all(this.runs);
  }

  /** Takes deliveries until the connection is lost. What waited is then given to whoever comes next; what runs, runs on. */
  private async follow(): Promise<void> {
    const connection = new AbortController();
    const connected = AbortSignal.any([this.signal, connection.signal]);
    const { subscriptions, held } = this.options;
    try {
      for await (const delivery of subscriptions.durable(GROUP, ['CompactionRequested'], connected, held))
        await this.receive({ delivery, at: this.now(), connection });
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

  /** Begins whatever may run. */
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

  /** One that another worker has taken over is his to acknowledge: were he to die, he alone would get it again. */
  private async finish(due: Due): Promise<void> {
    const { runner, onError } = this.options;
    for (let failures = 0; !this.signal.aborted; failures += 1) {
      const { given } = due;
      try {
        const outcome = await runner.run(due.ref, due.compactionId, due.id, this.signal);
        this.failures = 0;
        if (outcome === 'ended') return await due.given.delivery.ack();
        if (due.given === given) return;
        continue; // The log has given it to this worker since: he has gone.
      } catch (error) {
        if (this.signal.aborted) return; // Unacknowledged: it comes back to whoever runs next.
        if (isCode(error, 'event-store-unavailable')) throw error; // The delivery is lost with the connection.
        onError(error);
        if (!isCode(error, 'postgres-unavailable') && !isCode(error, 'disk-full'))
          return this.giveBack(due, classOf(error));
      }
      await pause(failures, this.signal); // Failures are counted, and an outage may last longer than all of them.
    }
  }

  /** It is no longer known before it is given back: it may return at once. */
  private giveBack(due: Due, reason: string): Promise<void> {
    const { delivery } = due.given;
    const failures = (this.failed.get(due.id) ?? 0) + 1;
    this.known.delete(due.id);
    this.failed.delete(due.id);
    if (failures > FAILURES_MAX) return delivery.park(reason);
    this.failed.set(due.id, failures);
    const [oldest] = this.failed.keys();
    if (this.failed.size > FAILED_MAX && oldest !== undefined) this.failed.delete(oldest);
    return delivery.retry(reason);
  }

  /** Lets one go that has waited too long; the log gives it to this worker or to one that has less to do. */
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

const isCode = (error: unknown, code: AppError['code']): boolean =>
  error instanceof AppError && error.code === code;

const classOf = (error: unknown): string =>
  error instanceof AppError ? error.code : error instanceof Error ? error.name : 'unknown';
