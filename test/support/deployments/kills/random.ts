/** Numbers that look random and are the same for the same seed: a round that failed can be run again. */
export class Random {
  constructor(private state: number) {}

  /** A whole number from 0, below `limit`. */
  below(limit: number): number {
    this.state = (Math.imul(this.state, 1_103_515_245) + 12_345) & 0x7fff_ffff;
    return (this.state >>> 8) % limit;
  }

  of<Item>(items: readonly Item[]): Item {
    const item = items[this.below(items.length)];
    if (item === undefined) throw new Error('there is nothing to choose from');
    return item;
  }

  shuffled<Item>(items: readonly Item[]): readonly Item[] {
    const rest = [...items];
    return items.flatMap(() => rest.splice(this.below(rest.length), 1));
  }
}
