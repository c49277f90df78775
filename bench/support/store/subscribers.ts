import { type AllStreamSubscription, END, type EventStoreDBClient, type Filter } from '@eventstore/db-client';

/** Live subscriptions to $all, with the number of events received by each. */
export class Subscribers {
  #received: number[];
  #waiting: { readonly count: number; readonly resolve: () => void }[] = [];

  private constructor(private readonly subscriptions: readonly AllStreamSubscription[]) {
    this.#received = subscriptions.map(() => 0);
    for (const [at, subscription] of subscriptions.entries())
      subscription.on('data', () => {
        this.#received[at] = (this.#received[at] ?? 0) + 1;
        this.#wake(this.#received[at] ?? 0);
      });
  }

  /** Resolves when all of them are live. */
  static async open(client: EventStoreDBClient, count: number, filter: Filter): Promise<Subscribers> {
    const subscriptions = Array.from({ length: count }, () =>
      client.subscribeToAll({ fromPosition: END, filter }),
    );
    const live = subscriptions.map(
      (subscription) =>
        new Promise<void>((resolve, reject) => {
          subscription.once('caughtUp', resolve);
          subscription.once('error', reject);
        }),
    );
    const subscribers = new Subscribers(subscriptions);
    await Promise.all(live);
    return subscribers;
  }

  /** Resolves when each of them has received `count` events. */
  received(count: number): Promise<void> {
    return new Promise((resolve) => {
      this.#waiting.push({ count, resolve });
      this.#wake(count);
    });
  }

  async close(): Promise<void> {
    await Promise.all(this.subscriptions.map((subscription) => subscription.unsubscribe()));
  }

  /** `count`: the number of events of one subscriber; checks the others only if it may be the last one. */
  #wake(count: number): void {
    if (!this.#waiting.some((waiting) => waiting.count <= count)) return;
    const least = Math.min(...this.#received);
    for (const waiting of this.#waiting) if (waiting.count <= least) waiting.resolve();
    this.#waiting = this.#waiting.filter((waiting) => waiting.count > least);
  }
}
