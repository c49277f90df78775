import type { Candidate, Choice, Strategy } from './strategy.js';

/** Delivers to one consumer until it has no room, then to the next one. */
export class DispatchToSingle<Consumer extends Candidate> implements Strategy<Consumer> {
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
