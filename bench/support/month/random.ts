/** Numbers that look random and are the same for the same seed: a session that failed can be played again. */
export class Random {
  private state: number;

  constructor(seed: number) {
    this.state = (seed ^ 0x2545f491) & 0x7fff_ffff;
  }

  /** A whole number from 0, below `limit`. */
  below(limit: number): number {
    this.state = (Math.imul(this.state, 1_103_515_245) + 12_345) & 0x7fff_ffff;
    return (this.state >>> 8) % limit;
  }

  of<Item>(items: readonly Item[]): Item {
    const item = items[this.below(items.length)];
    if (item === undefined) throw new RangeError('there is nothing to choose from');
    return item;
  }
}
