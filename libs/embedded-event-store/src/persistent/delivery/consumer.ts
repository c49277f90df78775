import type { EventId } from '../../log/event-id.js';
import type { Delivery } from '../../streams/reads/delivery.js';
import type { GrpcFailure } from '../../wire/grpc-failure.js';
import type { Outlet } from '../../wire/outlet.js';
import { Latencies } from '../statistics/latencies.js';
import { Meter } from '../statistics/meter.js';
import { persistentReplies } from './replies.js';

/** Who holds events that are not answered. */
export type Holder = {
  took(id: EventId): void;
  gaveBack(id: EventId): void;
};

/** Who a consumer is, for people who ask. */
export type ConsumerIdentity = {
  readonly peer: string;
  readonly user: string;
  readonly connectionName: string;
};

/** One connection of a worker. It takes at most `bufferSize` events that it has not answered for. */
export class Consumer implements Holder {
  readonly meter = new Meter();
  readonly latencies = new Latencies();
  /** When each event was delivered that is not answered. Milliseconds, by a clock that does not jump. */
  readonly #since = new Map<EventId, number>();
  #blocked = false;

  constructor(
    private readonly outlet: Outlet,
    readonly bufferSize: number,
    private readonly structuredIds: boolean,
    readonly identity: ConsumerIdentity,
  ) {}

  /** Ends the connection: the group is no more. */
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

  /** `onRoom`: called when the connection can take more, where this event filled it. */
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
