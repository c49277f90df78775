import type { EventId } from '../../log/event-id.js';
import type { Delivery } from '../../streams/reads/delivery.js';
import type { GrpcFailure } from '../../wire/grpc-failure.js';
import type { Outlet } from '../../wire/outlet.js';
import { Latencies } from '../statistics/latencies.js';
import { Meter } from '../statistics/meter.js';
import { persistentReplies } from './replies.js';

/** A holder of unanswered events. */
export type Holder = {
  took(id: EventId): void;
  gaveBack(id: EventId): void;
};

/** The identity of a consumer, for the info call. */
export type ConsumerIdentity = {
  readonly peer: string;
  readonly user: string;
  readonly connectionName: string;
};

/** One connection of a consumer. Holds at most `bufferSize` unanswered events. */
export class Consumer implements Holder {
  readonly meter = new Meter();
  readonly latencies = new Latencies();
  /** Delivery times of the unanswered events. Milliseconds of a monotonic clock. */
  readonly #since = new Map<EventId, number>();
  #blocked = false;

  constructor(
    private readonly outlet: Outlet,
    readonly bufferSize: number,
    private readonly structuredIds: boolean,
    readonly identity: ConsumerIdentity,
  ) {}

  /** Closes the connection after the group was dropped. */
  drop(failure: GrpcFailure): void {
    this.outlet.fail(failure);
  }

  get inFlight(): number {
    return this.#since.size;
  }

  get hasRoom(): boolean {
    return this.outlet.open && !this.#blocked && this.inFlight < this.bufferSize;
  }

  took(id: EventId): void {
    this.#since.set(id, performance.now());
  }

  gaveBack(id: EventId): void {
    const since = this.#since.get(id);
    if (since === undefined) return;
    this.#since.delete(id);
    this.latencies.add(performance.now() - since);
  }

  /** `onRoom`: called when the connection can take more events, if this one filled it. */
  send(delivery: Delivery, retryCount: number, onRoom: () => void): void {
    this.meter.count();
    if (this.outlet.send(persistentReplies.event(delivery, retryCount, this.structuredIds))) return;
    this.#blocked = true;
    void this.outlet.drained().then(() => {
      this.#blocked = false;
      onRoom();
    });
  }
}
