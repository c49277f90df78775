import { setImmediate as nextTurn } from 'node:timers/promises';
import type { AllStreamResolvedEvent, AllStreamSubscription } from '@eventstore/db-client';

export type SubscriptionItem =
  | { readonly kind: 'event'; readonly event: AllStreamResolvedEvent }
  | { readonly kind: 'checkpoint'; readonly commit: bigint };

/**
 * The events and checkpoints of a subscription in the order in which the server sent them. The client hands out
 * checkpoints at once, while events before them still wait in its buffer: a reader that stored such a checkpoint and
 * then died would never see those events again. So each checkpoint waits here for the events before it.
 */
export class OrderedSubscription {
  private waiting: { readonly commit: bigint; readonly release: () => void } | undefined;
  private wake: () => void = () => {};

  /** To be given to the client as its `checkpointReached`: it blocks the stream until the checkpoint was taken. */
  readonly checkpointReached = (_: unknown, position: { readonly commit: bigint }): Promise<void> =>
    new Promise((release) => {
      this.waiting = { commit: position.commit, release };
      this.wake();
    });

  async *items(subscription: AllStreamSubscription): AsyncIterable<SubscriptionItem> {
    const events = subscription[Symbol.asyncIterator]();
    let next = pending(events.next());
    for (;;) {
      if (!this.waiting) await Promise.race([next.settled, new Promise<void>((wake) => (this.wake = wake))]);
      if (this.waiting) await nextTurn(); // Lets an event that has been sent before arrive.
      if (next.done() || !this.waiting || subscription.readableLength > 0) {
        const { done, value } = await next.result;
        if (done) return;
        next = pending(events.next());
        if (value.event) yield { kind: 'event', event: value };
        continue;
      }
      const { commit, release } = this.waiting;
      this.waiting = undefined;
      yield { kind: 'checkpoint', commit };
      release();
    }
  }
}

const pending = <Value>(result: Promise<Value>) => {
  let done = false;
  const mark = (): void => {
    done = true;
  };
  return { result, settled: result.then(mark, mark), done: () => done };
};
