/**
 * A map of the newest entries: the oldest leave it when it becomes too heavy. An entry that is set again is the newest, which stays
 * at any weight.
 */
export class BoundedMap<Key, Value> {
  readonly #entries = new Map<Key, { readonly value: Value; readonly weight: number }>();
  #weight = 0;

  /** @param weightOf the weight of an entry; 1 by default, so that `weightMax` is the number of entries. */
  constructor(
    private readonly weightMax: number,
    private readonly weightOf: (value: Value, key: Key) => number = () => 1,
  ) {}

  get(key: Key): Value | undefined {
    return this.#entries.get(key)?.value;
  }

  has(key: Key): boolean {
    return this.#entries.has(key);
  }

  set(key: Key, value: Value): void {
    this.delete(key);
    const weight = this.weightOf(value, key);
    this.#entries.set(key, { value, weight });
    this.#weight += weight;
    for (const oldest of this.#entries.keys()) {
      if (this.#weight <= this.weightMax || oldest === key) return;
      this.delete(oldest);
    }
  }

  delete(key: Key): void {
    this.#weight -= this.#entries.get(key)?.weight ?? 0;
    this.#entries.delete(key);
  }

  clear(): void {
    this.#entries.clear();
    this.#weight = 0;
  }
}
