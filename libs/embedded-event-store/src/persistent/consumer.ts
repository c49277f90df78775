import type { Delivery } from '../streams/reading/delivery.js';
import type { GrpcFailure } from '../wire/grpc-failure.js';
import type { Outlet } from '../wire/outlet.js';
import { persistentReplies } from './replies.js';

/** One connection of a worker. It takes at most `bufferSize` events that it has not answered for. */
export class Consumer {
  inFlight = 0;
  delivered = 0;
  #blocked = false;

  constructor(
    private readonly outlet: Outlet,
    readonly bufferSize: number,
    private readonly structuredIds: boolean,
    /** Who it is, for people who ask. */
    readonly peer: string,
    readonly connectionName: string,
  ) {}

  /** Ends the connection: the group is no more. */
  drop(failure: GrpcFailure): void {
    this.outlet.fail(failure);
  }

  get hasRoom(): boolean {
    return this.outlet.open && !this.#blocked && this.inFlight < this.bufferSize;
  }

  /** `onRoom`: called when the connection can take more, where this event filled it. */
  deliver(delivery: Delivery, retryCount: number, onRoom: () => void): void {
    this.inFlight += 1;
    this.delivered += 1;
    if (this.outlet.send(persistentReplies.event(delivery, retryCount, this.structuredIds))) return;
    this.#blocked = true;
    void this.outlet.drained().then(() => {
      this.#blocked = false;
      onRoom();
    });
  }
}
