import { correlationOf, LINK_TYPE } from '../../log/projections/links-of.js';
import type { Delivery } from '../../streams/reads/delivery.js';
import { Pinned } from './pinned.js';
import type { Candidate, Choice, Strategy } from './strategy.js';

export const STRATEGY_NAMES = ['DispatchToSingle', 'RoundRobin', 'Pinned', 'PinnedByCorrelation'] as const;
export type StrategyName = (typeof STRATEGY_NAMES)[number];

export const strategyOf = <Consumer extends Candidate>(name: StrategyName): Strategy<Consumer> => {
  switch (name) {
    case 'DispatchToSingle':
      return new DispatchToSingle();
    case 'RoundRobin':
      return new RoundRobin();
    case 'Pinned':
      return new Pinned(pinnedByStream);
    case 'PinnedByCorrelation':
      return new Pinned(pinnedByCorrelation);
  }
};

/** Returns the stream of an event; the target stream of an unresolved link. */
export const pinnedByStream = ({ event, link }: Delivery): string => {
  const shown = event ?? link;
  if (!shown) return '';
  if (shown.type !== LINK_TYPE) return shown.stream;
  const target = shown.data.toString('utf8');
  return target.slice(target.indexOf('@') + 1);
};

/** Returns the `$correlationId` of an event's metadata; without one, its stream. */
export const pinnedByCorrelation = (delivery: Delivery): string => {
  const shown = delivery.event ?? delivery.link;
  return (shown && correlationOf(shown)) ?? pinnedByStream(delivery);
};

/** Delivers to one consumer until it has no room, then to the next one. */
class DispatchToSingle<Consumer extends Candidate> implements Strategy<Consumer> {
  /** The first one is the current consumer. */
  readonly #consumers: Consumer[] = [];

  add(consumer: Consumer): void {
    this.#consumers.push(consumer);
  }

  remove(consumer: Consumer): void {
    const index = this.#consumers.indexOf(consumer);
    if (index >= 0) this.#consumers.splice(index, 1);
  }

  choose(): Choice<Consumer> {
    const next = this.#consumers.findIndex(({ hasRoom }) => hasRoom);
    if (next < 0) return 'none';
    this.#consumers.push(...this.#consumers.splice(0, next));
    return this.#consumers[0] ?? 'none';
  }
}

/** Delivers to one consumer after the other while they have room. */
class RoundRobin<Consumer extends Candidate> implements Strategy<Consumer> {
  readonly #consumers: Consumer[] = [];
  #turn = -1;

  add(consumer: Consumer): void {
    this.#consumers.push(consumer);
  }

  remove(consumer: Consumer): void {
    const index = this.#consumers.indexOf(consumer);
    if (index >= 0) this.#consumers.splice(index, 1);
  }

  choose(): Choice<Consumer> {
    for (let tried = 0; tried < this.#consumers.length; tried += 1) {
      this.#turn = (this.#turn + 1) % this.#consumers.length;
      const consumer = this.#consumers[this.#turn];
      if (consumer?.hasRoom) return consumer;
    }
    return 'none';
  }
}
