/** By its own name: to find it in `Math` each time takes longer than to multiply where globals are intercepted. */
const { imul } = Math;
/** Slots of the first table; it doubles whenever it is two thirds full. */
const SLOTS = 16;

/**
 * Numbers of the ids that were met, in 18 to 36 bytes an id however long it is: an id is known by 64 bits of a hash. Among ten
 * million ids, that two have the same is a matter of one file in 300,000.
 */
export class IdTable {
  private hashes = new Int32Array(2 * SLOTS);
  /** The number plus 1; 0 for an empty slot. */
  private numbers = new Int32Array(SLOTS);
  size = 0;

  get(id: string): number | undefined {
    const number = this.numbers[this.slotOf(hashOf(id))] ?? 0;
    return number === 0 ? undefined : number - 1;
  }

  has(id: string): boolean {
    return this.get(id) !== undefined;
  }

  /** @param number from 0 to two thousand million. */
  set(id: string, number: number): void {
    this.put(hashOf(id), number + 1);
    if (this.size * 3 > this.numbers.length * 2) this.grow();
  }

  /** Whether an id is new; from now on it is not. */
  add(id: string): boolean {
    if (this.has(id)) return false;
    this.set(id, 0);
    return true;
  }

  private put([high, low]: Hash, stored: number): void {
    const slot = this.slotOf([high, low]);
    if (this.numbers[slot] === 0) this.size += 1;
    this.hashes[2 * slot] = high;
    this.hashes[2 * slot + 1] = low;
    this.numbers[slot] = stored;
  }

  /** Returns the slot of an id, occupied or not. */
  private slotOf([high, low]: Hash): number {
    const mask = this.numbers.length - 1;
    let slot = low & mask;
    while (this.numbers[slot] !== 0 && !(this.hashes[2 * slot] === high && this.hashes[2 * slot + 1] === low))
      slot = (slot + 1) & mask;
    return slot;
  }

  private grow(): void {
    const { hashes, numbers } = this;
    this.hashes = new Int32Array(2 * hashes.length);
    this.numbers = new Int32Array(2 * numbers.length);
    this.size = 0;
    for (const [slot, stored] of numbers.entries())
      if (stored !== 0) this.put([hashes[2 * slot] ?? 0, hashes[2 * slot + 1] ?? 0], stored);
  }
}

type Hash = readonly [high: number, low: number];

/** Two hashes of 32 bits, each mixed with the other in the end. */
const hashOf = (id: string): Hash => {
  let [high, low] = [0xdead_beef | 0, 0x41c6_ce57];
  for (let at = 0; at < id.length; at += 1) {
    const unit = id.charCodeAt(at);
    high = imul(high ^ unit, 2_654_435_761);
    low = imul(low ^ unit, 1_597_334_677);
  }
  high = imul(high ^ (high >>> 16), 2_246_822_507) ^ imul(low ^ (low >>> 13), 3_266_489_909);
  low = imul(low ^ (low >>> 16), 2_246_822_507) ^ imul(high ^ (high >>> 13), 3_266_489_909);
  return [high, low];
};
