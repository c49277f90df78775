type Listener = { readonly stream: string | undefined; readonly wake: () => void };

/** Wakes whoever waits for new events. It carries no events: a reader reads on from where it stands. */
export class Signal {
  readonly #listeners = new Set<Listener>();

  /** `stream`: only events of that stream; `undefined`: any. Returns how to stop listening. */
  listen(stream: string | undefined, wake: () => void): () => void {
    const listener = { stream, wake };
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  tell(streams: ReadonlySet<string>): void {
    for (const { stream, wake } of this.#listeners) {
      if (stream === undefined || streams.has(stream)) wake();
    }
  }
}
