/** Items as they come, so that a test can wait for the next one, or for so many. */
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

/** As much of a stream as is needed here: the client's types are narrower than those of Node's streams. */
type Emits<Event extends string, Value> = { on(event: Event, listener: (value: Value) => void): unknown };

/** Everything that `stream` emits. Its errors go nowhere: they are tested where they matter. */
export const inboxOf = <Item>(
  stream: AsyncIterable<Item> & Emits<'data', Item> & Emits<'error', Error>,
): Inbox<Item> => {
  const inbox = new Inbox<Item>();
  stream.on('data', (item: Item) => inbox.push(item));
  stream.on('error', () => undefined);
  return inbox;
};

/** The first error of a stream. */
export const errorOf = (stream: Emits<'error', Error>): Promise<Error> =>
  new Promise((resolve) => {
    stream.on('error', resolve);
  });
