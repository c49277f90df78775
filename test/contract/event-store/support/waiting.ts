/** Collects items, and lets a test wait for the next one, or for a number of them. */
export class Inbox<Item> {
  readonly items: Item[] = [];
  readonly #waiting: { readonly done: (items: readonly Item[]) => boolean; readonly resolve: () => void }[] =
    [];

  push(item: Item): void {
    this.items.push(item);
    for (const waiting of [...this.#waiting]) {
      if (!waiting.done(this.items)) continue;
      this.#waiting.splice(this.#waiting.indexOf(waiting), 1);
      waiting.resolve();
    }
  }

  async until(done: (items: readonly Item[]) => boolean): Promise<Item[]> {
    if (!done(this.items))
      await new Promise<void>((resolve) => {
        this.#waiting.push({ done, resolve });
      });
    return this.items;
  }

  count(count: number): Promise<Item[]> {
    return this.until((items) => items.length >= count);
  }
}

/** The used part of a stream: the client's types are narrower than Node's. */
type Emits<Event extends string, Value> = { on(event: Event, listener: (value: Value) => void): unknown };

/** Collects everything that `stream` emits. Ignores errors, which other tests check. */
export const inboxOf = <Item>(
  stream: AsyncIterable<Item> & Emits<'data', Item> & Emits<'error', Error>,
): Inbox<Item> => {
  const inbox = new Inbox<Item>();
  stream.on('data', (item: Item) => inbox.push(item));
  stream.on('error', () => undefined);
  return inbox;
};

/** Resolves with the first error of a stream. */
export const errorOf = (stream: Emits<'error', Error>): Promise<Error> =>
  new Promise((resolve) => {
    stream.on('error', resolve);
  });
