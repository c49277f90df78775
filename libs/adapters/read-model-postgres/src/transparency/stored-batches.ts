/** Items held for a reader that is busy. */
const HELD_MAX = 2_000;

/** Reads ahead while the reader is busy: arrived items are yielded as one batch. */
export class StoredBatches<Item> {
  #items: Item[] = [];
  #failure: { readonly error: unknown } | undefined;
  #isOver = false;
  #changed: () => void = () => {};
  readonly #reading: Promise<void>;

  constructor(source: AsyncIterable<Item>) {
    this.#reading = this.#read(source);
  }

  /**
   * Returns at least one item, once available; `undefined` at the end.
   *
   * @throws the source's error, after all items before it.
   */
  async take(max: number): Promise<readonly Item[] | undefined> {
    while (this.#items.length === 0 && !this.#isOver) await this.#change();
    if (this.#items.length > 0) {
      const taken = this.#items.slice(0, max);
      this.#items = this.#items.slice(max);
      this.#changed();
      return taken;
    }
    if (this.#failure) throw this.#failure.error;
    return undefined;
  }

  /** Call it once the source ends. */
  close(): Promise<void> {
    this.#isOver = true;
    this.#changed();
    return this.#reading;
  }

  async #read(source: AsyncIterable<Item>): Promise<void> {
    try {
      for await (const item of source) {
        this.#items.push(item);
        this.#changed();
        while (this.#items.length >= HELD_MAX && !this.#isOver) await this.#change();
        if (this.#isOver) return;
      }
    } catch (error) {
      this.#failure = { error };
    } finally {
      this.#isOver = true;
      this.#changed();
    }
  }

  /** Reader and source never wait at the same time: one waits for items, the other for room. */
  #change(): Promise<void> {
    return new Promise((wake) => {
      this.#changed = wake;
    });
  }
}
