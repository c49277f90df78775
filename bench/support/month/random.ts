/** Seeded random numbers, so that a failed session can be replayed. */
export class Random {
  private state: number;

  constructor(seed: number) {
    this.state = (seed ^ 0x2545f491) & 0x7fff_ffff;
  }

  /** Returns a whole number from 0 up to, but excluding, `limit`. */
  below(limit: number): number {
    this.state = (Math.imul(this.state, 1_103_515_245) + 12_345) & 0x7fff_ffff;
    return (this.state >>> 8) % limit;
  }

  of<Item>(items: readonly Item[]): Item {
    const item = items[this.below(items.length)];
    if (item === undefined) throw new RangeError('cannot pick from an empty list');
    return item;
  }
}
