import type { Delivery } from '../../streams/reads/delivery.js';

/** The property of a consumer that a choice needs. */
export type Candidate = { readonly hasRoom: boolean };

/** The chosen consumer; `none` if none has room; `later` if the event's own consumer has none. */
export type Choice<Consumer> = Consumer | 'none' | 'later';

/** Chooses the consumer of an event. */
export interface Strategy<Consumer extends Candidate> {
  /** `inFlight`: deliveries of other consumers, which should stay with them if possible. */
  add(consumer: Consumer, inFlight: Iterable<Delivery>): void;
  remove(consumer: Consumer): void;
  choose(delivery: Delivery): Choice<Consumer>;
}
