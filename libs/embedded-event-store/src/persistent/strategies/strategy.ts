import type { Delivery } from '../../streams/reads/delivery.js';

/** As much of a consumer as a choice needs. */
export type Candidate = { readonly hasRoom: boolean };

/** Who gets an event: a consumer, or nobody, since none has room, or later, since its own one has none. */
export type Choice<Consumer> = Consumer | 'nobody' | 'later';

/** How the consumer of an event is chosen among those that are connected. */
export interface Strategy<Consumer extends Candidate> {
  /** `inFlight`: what others are working on, which should stay with them where that can be. */
  add(consumer: Consumer, inFlight: Iterable<Delivery>): void;
  remove(consumer: Consumer): void;
  choose(delivery: Delivery): Choice<Consumer>;
}
