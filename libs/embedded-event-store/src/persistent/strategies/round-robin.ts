import type { Candidate, Choice, Strategy } from './strategy.js';

/** Delivers to one consumer after the other while they have room. */
export class RoundRobin<Consumer extends Candidate> implements Strategy<Consumer> {
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
