type Listener = { readonly stream: string | undefined; readonly wake: () => void };

/** Notifies listeners of new events. Carries no events: a reader continues from its own position. */
export class Signal {
  readonly #listeners = new Set<Listener>();

  /** Returns a function that stops listening. `stream`: only events of that stream; `undefined`: all. */
  listen(stream: string | undefined, wake: () => void): () => void {
    const listener = { stream, wake };
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  notify(streams: ReadonlySet<string>): void {
    for (const { stream, wake } of this.#listeners) {
      if (stream === undefined || streams.has(stream)) wake();
    }
  }
}
