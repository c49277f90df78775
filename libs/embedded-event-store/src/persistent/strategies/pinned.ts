import type { Delivery } from '../../streams/reads/delivery.js';
import type { Candidate, Choice, Strategy } from './strategy.js';

/** EventStoreDB's number of buckets. */
const BUCKET_COUNT = 1_024;

const FNV_OFFSET = 0x811c9dc5;
const FNV_PRIME = 0x01000193;

/** Returns the bucket of a key, from 0: FNV-1a over its UTF-8. */
const bucketOf = (key: string): number => {
  let hash = FNV_OFFSET;
  for (const byte of Buffer.from(key)) hash = Math.imul(hash ^ byte, FNV_PRIME);
  // The low bits of FNV vary least: fold the high ones into them.
  return ((hash >>> 10) ^ hash) & (BUCKET_COUNT - 1);
};

/**
 * Delivers related events to one consumer while it is connected: keys are hashed into buckets, and each bucket has
 * one owner, assigned at its first event to the consumer with the fewest buckets.
 */
export class Pinned<Consumer extends Candidate> implements Strategy<Consumer> {
  /** Number of owned buckets by consumer. */
  readonly #owned = new Map<Consumer, number>();
  readonly #owners = new Array<Consumer | undefined>(BUCKET_COUNT);
  /** Caches buckets, since waiting events are offered repeatedly. */
  readonly #buckets = new WeakMap<object, number>();

  /** `keyOf`: the common key of related events. */
  constructor(private readonly keyOf: (delivery: Delivery) => string) {}

  /** Takes the other consumers' buckets above a fair share, beginning with those without events in flight. */
  add(consumer: Consumer, inFlight: Iterable<Delivery>): void {
    this.#owned.set(consumer, 0);
    const busy = new Set([...inFlight].map((delivery) => this.#bucketOf(delivery)));
    const fair = Math.ceil(sum(this.#owned.values()) / this.#owned.size);
    for (const [owner, owned] of [...this.#owned]) {
      if (owner === consumer || owned <= fair) continue;
      const buckets = this.#bucketsOf(owner).sort((a, b) => Number(busy.has(a)) - Number(busy.has(b)));
      for (const bucket of buckets.slice(0, owned - fair)) this.#give(bucket, consumer);
    }
  }

  remove(consumer: Consumer): void {
    for (const bucket of this.#bucketsOf(consumer)) this.#owners[bucket] = undefined;
    this.#owned.delete(consumer);
  }

  choose(delivery: Delivery): Choice<Consumer> {
    if (!this.#anyHasRoom()) return 'none';
    const bucket = this.#bucketOf(delivery);
    const owner = this.#owners[bucket] ?? this.#give(bucket, this.#leastOwning());
    return owner?.hasRoom ? owner : 'later';
  }

  #anyHasRoom(): boolean {
    for (const { hasRoom } of this.#owned.keys()) if (hasRoom) return true;
    return false;
  }

  #give(bucket: number, consumer: Consumer | undefined): Consumer | undefined {
    const before = this.#owners[bucket];
    if (before) this.#owned.set(before, (this.#owned.get(before) ?? 0) - 1);
    if (consumer) this.#owned.set(consumer, (this.#owned.get(consumer) ?? 0) + 1);
    this.#owners[bucket] = consumer;
    return consumer;
  }

  #leastOwning(): Consumer | undefined {
    let least: [Consumer, number] | undefined;
    for (const entry of this.#owned) if (!least || entry[1] < least[1]) least = entry;
    return least?.[0];
  }

  #bucketsOf(consumer: Consumer): number[] {
    return [...this.#owners.keys()].filter((bucket) => this.#owners[bucket] === consumer);
  }

  #bucketOf(delivery: Delivery): number {
    const identity = delivery.link ?? delivery.event;
    const known = identity && this.#buckets.get(identity);
    if (known !== undefined) return known;
    const bucket = bucketOf(this.keyOf(delivery));
    if (identity) this.#buckets.set(identity, bucket);
    return bucket;
  }
}

const sum = (numbers: Iterable<number>): number => {
  let total = 0;
  for (const number of numbers) total += number;
  return total;
};
